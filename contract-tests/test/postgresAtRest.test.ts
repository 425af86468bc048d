import { migrations } from "@overa/adapter-postgres"
import { InstallationOversight, type Operation, OperationStore, type WorkflowId } from "@overa/domain"
import { Effect, Option } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { installationMetrics } from "../../hosts/kit/src/operational/installationMetrics.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { mintPlace, notSent, rejected, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const online = migrations.find(({ number }) => number === 46)

const run = <A>(body: Effect.Effect<A, unknown, OperationStore | InstallationOversight>) => Effect.runPromise(Effect.provide(body, postgresPorts(database.url)))

const atRest = Effect.gen(function*() {
  const figures = yield* (yield* InstallationOversight).figures
  return installationMetrics(figures, 0).split("\n").find((line) => line.startsWith("overa_documents_at_rest "))
})

/** Stored as earlier releases left it: not sent, without a next check. */
const unsent = Effect.fnUntraced(function*(changes: Partial<Operation>) {
  const store = yield* OperationStore
  const operation = sampleOperation(mintPlace(), changes)
  yield* store.reserve(sampleReservation(operation))
  yield* store.conclude(notSent(operation))
  return operation
})

const own = (changes: Partial<Operation> = {}): Partial<Operation> => {
  const { boundKey } = sampleOperation(mintPlace())
  return { boundKey: { ...boundKey, role: "INNER" }, content: { ...sampleContent(1), invoiceType: "COPY" }, ...changes }
}

describe("PostgreSQL: what the service sends by itself and would never send", () => {
  it("is counted, and due after the upgrade; what waits for its caller is neither", async () => {
    const client = await database.client()
    const workflow = { type: "ADVANCE" as const, id: mintUuid() as WorkflowId }
    const { callers, copy, finalSale } = await run(Effect.gen(function*() {
      assert.strictEqual(yield* atRest, "overa_documents_at_rest 0")
      const made = { copy: yield* unsent(own()), finalSale: yield* unsent({ workflow }), callers: yield* unsent({}) }
      assert.strictEqual(yield* atRest, "overa_documents_at_rest 2")
      return made
    }))
    for (const statement of online?.statements ?? []) await client.query(statement)
    const { rows } = await client.query("select operation_id from operations where next_check_at <= now() order by created_at")
    assert.deepStrictEqual(rows.map(({ operation_id: id }) => id).toSorted(), [copy.id, finalSale.id].toSorted())
    assert.notInclude(rows.map(({ operation_id: id }) => id), callers.id)
    assert.strictEqual(await run(atRest), "overa_documents_at_rest 0")
  })

  it("a document whose item was open before the upgrade is in doubt after it", async () => {
    const client = await database.client()
    const operations = await run(Effect.forEach([rejected, rejected, signed], Effect.fnUntraced(function*(ending) {
      const store = yield* OperationStore
      const operation = sampleOperation(mintPlace())
      yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(ending(operation))
      return operation
    })))
    const item = "insert into attention (organization_id, operation_id, kind, detail, raised_at, acknowledged_at, acknowledged_by) values ($1, $2, 'SECOND_RECEIPT', 'x', now(), $3, $4)"
    for (const [at, { id, organizationId }] of operations.entries()) await client.query(item, [organizationId, id, at === 1 ? new Date() : null, at === 1 ? "ana" : null])
    for (const statement of online?.statements ?? []) await client.query(statement)
    const statuses = await run(Effect.forEach(operations, (operation) =>
      OperationStore.use((store) => Effect.map(store.get(operation, operation.id), (found) => Option.getOrThrow(found).status))))
    assert.deepStrictEqual(statuses, ["OUTCOME_UNKNOWN", "REJECTED", "FISCALIZED"])
  })
})
