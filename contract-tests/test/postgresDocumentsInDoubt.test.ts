import { AttentionOversight, type Operation, OperationStore, RecordActs, UnresolvedOperations } from "@overa/domain"
import { Effect, ManagedRuntime } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { after, mintPlace, notSent, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
let runtime: ReturnType<typeof start>
const start = () => ManagedRuntime.make(postgresPorts(database.url))
beforeAll(async () => {
  database = await throwawayDatabase()
  runtime = start()
})
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

const raise = ({ id, organizationId }: Operation, detail: string) =>
  UnresolvedOperations.use((unresolved) => unresolved.raise({ organizationId, operationId: id }, [{ kind: "LOST_ATTEMPT", detail, evidence: null }], after(5)))

const acknowledgeEach = Effect.fnUntraced(function*({ id, organizationId }: Operation) {
  const items = yield* (yield* AttentionOversight).attentionOf(organizationId, id)
  const acts = yield* RecordActs
  return items.map((item) => Effect.ignore(acts.acknowledge({ actor: "operator:ana", reason: "seen" }, item.id)))
})

/** Documents of which the column says something else than the items. */
const contradicted = `select o.operation_id, o.in_doubt from operations o where o.in_doubt <> exists (select from attention a
  where a.organization_id = o.organization_id and a.operation_id = o.operation_id and a.kind in ('LOST_ATTEMPT', 'SECOND_RECEIPT') and a.acknowledged_at is null)`

describe("PostgreSQL: a document in doubt, from many processes at once", () => {
  it.each([
    ["all its items are acknowledged at once", () => []],
    ["its items are raised again while they are acknowledged", (operation: Operation) => ["1", "2", "3"].map((detail) => raise(operation, detail))],
    ["another item is raised while they are acknowledged", (operation: Operation) => [raise(operation, "another")]]
  ] as const)("%s: the document is in doubt if an item is open, and only then", async (_, meanwhile) => {
    const operations = Array.from({ length: 30 }, () => sampleOperation(mintPlace()))
    await runtime.runPromise(Effect.forEach(operations, Effect.fnUntraced(function*(operation) {
      const store = yield* OperationStore
      yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(notSent(operation))
      for (const detail of ["1", "2", "3"]) yield* raise(operation, detail)
      yield* Effect.all([...(yield* acknowledgeEach(operation)), ...meanwhile(operation)], { concurrency: "unbounded" })
    }), { concurrency: 4 }))
    const client = await database.client()
    assert.deepStrictEqual((await client.query(contradicted)).rows, [])
  })
})
