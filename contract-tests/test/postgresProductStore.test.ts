import { layerDatabase, layerProductStore } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { productStoreContract } from "../src/ports/ProductStore.contract.ts"
import { registerShop } from "../src/support/registerShop.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

productStoreContract("PostgreSQL", () => ({
  layer: layerProductStore.pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: (shop, status) => registerShop(database, shop, status)
}))

describe("PostgreSQL: every statement of products fits a server that is split by organization", () => {
  it("names its organization, reads no other's, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("products"))
    assert.isAtLeast(statements.length, 10)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
    for (const sql of statements) assert.isFalse(await isReadOverAll(sql), sql)
  })
})
