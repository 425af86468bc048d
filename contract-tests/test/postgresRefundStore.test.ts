import { layerDatabase, layerOperationStore, layerRefundStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { concludeManyStatement } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import { reserveManyStatement } from "../../adapters/postgres/src/operations/reserveStatement.ts"
import { refundAccountContract } from "../src/ports/refundAccount.contract.ts"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"
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

describe("PostgreSQL: every statement of refunds fits a server that is split by organization", () => {
  it("names its organization, locks nothing of several, computes nothing twice", async () => {
    const shared = new Set([reserveManyStatement, concludeManyStatement])
    const statements = [...recorder.statements].filter((sql) => !shared.has(sql))
    assert.isAtLeast(statements.length, 15)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})
