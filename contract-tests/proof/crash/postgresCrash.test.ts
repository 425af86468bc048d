import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { booksOf, mintSale, type Sale, sell } from "./salesBooks.ts"
import { type PostgresServer, startPostgresServer } from "../../src/support/postgresServer.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgresServer("crash", { durable: true })
})
afterAll(() => server.destroy())

describe("PostgreSQL is killed under load, twice", () => {
  it("whatever was acknowledged is there, whole and once", async () => {
    const url = server.url("postgres")
    const database = layerDatabase({ url: Redacted.make(url), applicationName: "crash", statementTimeoutMillis: 3_000 })
    const runtime = ManagedRuntime.make(Layer.provideMerge(layerOperationStore, database))
    await runtime.runPromise(migrate())
    const acknowledged: Array<Sale> = []
    const answers = new Set<string>()
    let crashes = 0
    const customer = async () => {
      while (acknowledged.length < 1_200) {
        const sale = mintSale()
        answers.add(await runtime.runPromise(sell(sale)))
        acknowledged.push(sale)
      }
    }
    const killings = async () => {
      for (const moment of [300, 700]) {
        while (acknowledged.length < moment) await new Promise((resolve) => setImmediate(resolve))
        await server.crashAndRestart()
        crashes += 1
      }
    }
    await Promise.all([killings(), ...Array.from({ length: 48 }, customer)])
    await runtime.dispose()

    assert.strictEqual(crashes, 2)
    assert.deepStrictEqual([...answers], ["Reserved Applied"])
    const { expected, stored } = await booksOf(url, acknowledged)
    assert.deepStrictEqual(stored, expected)
  }, 120_000)
})
