import { layerDatabase, layerElsewhereReceipts, layerOperationStore } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { elsewhereReceiptsContract } from "../src/ports/ElsewhereReceipts.contract.ts"
import { registerShop } from "../src/support/registerShop.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

elsewhereReceiptsContract("PostgreSQL", () => ({
  layer: Layer.merge(layerElsewhereReceipts, layerOperationStore).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: (shop, status) => registerShop(database, shop, status)
}))

describe("PostgreSQL: every statement of receipts issued elsewhere fits a server that is split by organization", () => {
  it("names its organization, reads no other's, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("elsewhere_receipts"))
    assert.isAtLeast(statements.length, 6)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
    for (const sql of statements) assert.isFalse(await isReadOverAll(sql), sql)
  })
})
