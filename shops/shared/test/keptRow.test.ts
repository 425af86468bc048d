import { readFileSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { throwawayDatabase, type ThrowawayDatabase } from "../../../contract-tests/src/support/throwawayDatabase.ts"
import { KeptRow, type Statement } from "../src/KeptRow.ts"

let database: ThrowawayDatabase
let client: pg.Client

/** The statements of Medusa's migration: Vendure's entity describes the same table. */
const tables = Array.from(
  readFileSync(join(import.meta.dirname, "../../medusa/src/modules/overa/migrations/Migration20261126000000.ts"), "utf8").matchAll(/addSql\("(create[^"]+)"\)/g), ([, statement = ""]) => statement
)

const run: Statement = async <Row>(statement: string, values: ReadonlyArray<unknown>) => {
  let count = 0
  return (await client.query(statement.replaceAll("?", () => `$${count += 1}`), [...values])).rows as ReadonlyArray<Row>
}

const stored = async () => (await client.query("select status, receipts, is_open, heard, kept::json->'told' as told from overa_order")).rows

beforeAll(async () => {
  database = await throwawayDatabase({ migrated: false })
  client = await database.client()
  for (const statement of tables) await client.query(statement)
})
beforeEach(async () => void await client.query("truncate overa_order"))
afterAll(async () => {
  await client.end()
  await database.drop()
})

describe("what is kept with an order", () => {
  it("is stored with its first change; what a change leaves out stays", async () => {
    const row = await KeptRow.read(run, "1")
    expect(row.kept.receipts).toEqual([])
    await row.keep({ told: ["a"] })
    expect(await stored()).toEqual([{ status: "", receipts: "[]", is_open: true, heard: 0, told: ["a"] }])
    await row.keep({ told: ["a", "b"] }, { status: "Everything is signed.", isOpen: false, heard: 2 })
    await row.keep({})
    expect(await stored()).toEqual([{ status: "Everything is signed.", receipts: "[]", is_open: false, heard: 2, told: ["a", "b"] }])
    expect((await KeptRow.read(run, "1")).status).toBe("Everything is signed.")
  })

  it("is not overwritten by whoever read it before, neither its first change nor a later one", async () => {
    const [first, second] = [await KeptRow.read(run, "1"), await KeptRow.read(run, "1")]
    await first.keep({ told: ["a"] })
    await expect(second.keep({ told: ["x"] }, { isOpen: false })).rejects.toThrow("another process changed")
    const third = await KeptRow.read(run, "1")
    await first.keep({ told: ["a", "b"] })
    await expect(third.keep({ told: ["x"] })).rejects.toThrow("another process changed")
    expect(await stored()).toEqual([{ status: "", receipts: "[]", is_open: true, heard: 0, told: ["a", "b"] }])
  })

  it("shows the latest sale, or the latest receipt", async () => {
    const row = await KeptRow.read(run, "1")
    const receipt = (id: string, kind: string) => ({ id, kind, number: id, url: "", total: 1, pdf: "" })
    await row.keep({}, { receipts: [receipt("a", "ADVANCE SALE")] })
    expect(row.latest?.id).toBe("a")
    await row.keep({}, { receipts: [receipt("b", "NORMAL SALE"), receipt("c", "NORMAL REFUND")] })
    expect((await KeptRow.read(run, "1")).latest?.id).toBe("b")
  })
})
