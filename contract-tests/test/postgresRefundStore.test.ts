import { layerDatabase, layerOperationStore, layerRefundStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { copyNotReserved, documentsOf, type Operation, RefundStore, refundWorkflowStatus } from "@overa/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { concludeManyStatement } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import { insertHeldKey } from "../../adapters/postgres/src/operations/heldKeys.ts"
import { reserveManyStatement } from "../../adapters/postgres/src/operations/reserve.ts"
import { lostOriginalContract } from "../src/ports/lostOriginal.contract.ts"
import { refundAccountContract } from "../src/ports/refundAccount.contract.ts"
import { refundInDoubtContract } from "../src/ports/refundInDoubt.contract.ts"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"
import { unreservedCopyContract } from "../src/ports/unreservedCopy.contract.ts"
import { acknowledgeInPostgres } from "../src/support/acknowledgeInPostgres.ts"
import { concluded, reserve, soldReceipt } from "../src/support/refundSamples.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

const stores = () =>
  Layer.mergeAll(layerOperationStore, layerUnresolvedOperations, layerRefundStore).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  )

refundStoreContract("PostgreSQL", stores)
refundAccountContract("PostgreSQL", stores, 25)
refundInDoubtContract("PostgreSQL", stores, acknowledgeInPostgres(() => database.url))

const query = async <Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>> => {
  const client = await database.client()
  try {
    return (await client.query(sql, [...parameters])).rows as ReadonlyArray<Row>
  } finally {
    await client.end()
  }
}

const attentionOf = ({ id, organizationId }: Operation) =>
  Effect.promise(() =>
    query<{ readonly kind: string; readonly detail: string }>("select kind, detail from attention where organization_id = $1 and operation_id = $2", [organizationId, id])
  )

unreservedCopyContract("PostgreSQL", stores, attentionOf)
lostOriginalContract("PostgreSQL", stores, attentionOf)

describe("PostgreSQL: the copy of a cash refund", () => {
  it("whose id a row has that only holds a key: a person is told, and the refund can be read", () => Effect.runPromise(Effect.gen(function*() {
    const kept = yield* reserve(yield* soldReceipt, { quantity: "1", payment: "CASH" })
    const { operation } = kept.reservation
    yield* Effect.promise(() => query(insertHeldKey, [operation.organizationId, kept.copyId, operation.environment, "REQUEST", `${operation.boundKey.key}:copy`, "restored", 0, ""]))
    assert.strictEqual((yield* concluded(kept, "signed"))._tag, "Applied")
    const { detail } = copyNotReserved(kept.copyId ?? operation.id, kept.copyId ?? "")
    assert.deepStrictEqual(yield* attentionOf(operation), [{ kind: "COPY_NOT_RESERVED", detail }])
    const stored = Option.getOrThrow(yield* (yield* RefundStore).get(operation, kept.workflowId))
    assert.deepStrictEqual([stored.copy, refundWorkflowStatus(documentsOf(stored))], [null, "COPY_PENDING"])
  }).pipe(Effect.provide(stores()))))
})

describe("PostgreSQL: every statement of refunds fits a server that is split by organization", () => {
  it("names its organization, locks nothing of several, computes nothing twice", async () => {
    const shared = new Set([reserveManyStatement, concludeManyStatement])
    const statements = [...recorder.statements].filter((sql) => !shared.has(sql))
    assert.isAtLeast(statements.length, 15)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})
