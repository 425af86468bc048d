import { assert, beforeAll, describe, it } from "vitest"
import { issueSale, refundAll } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

const cashiers = Array.from({ length: 33 }, (_, at) => `k-${String(at).padStart(2, "0")}`)
const report = "/reports?from=2020-01-01&to=2099-12-31&groupBy=cashier"
let owner: string

beforeAll(async () => {
  owner = await stage.session(stage.people.OWNER)
  for (const cashier of cashiers) await issueSale(stage, { cashier, quantity: 1 })
  await refundAll(stage, await issueSale(stage, { cashier: "k-00", quantity: 2 }))
})

const shown = async (path: string) => {
  const { status, text } = await client.get(path, { session: owner })
  return {
    status,
    text,
    rows: [...text.matchAll(/<t[dh][^>]*>(?:<[^>]*>)?(k-\d\d)</g)].map(([, cashier]) => cashier),
    links: [...text.matchAll(/<a href="[^"]*from-row=(\d+)[^"]*">/g)].map(([, row]) => row)
  }
}

describe("a report with more rows than a page", () => {
  it("has a page for each 31 of them, and the total of all on each", async () => {
    const [first, second] = [await shown(report), await shown(`${report}&from-row=31`)]
    // The refund is the web shop's: it has a row of its own.
    assert.deepStrictEqual([first.rows, second.rows], [cashiers.slice(0, 31), cashiers.slice(31)])
    assert.include(first.text, "Редови 1 до 31 од 34")
    assert.include(second.text, "Редови 32 до 34 од 34")
    assert.deepStrictEqual([first.links, second.links], [["31"], []])
    // 33 books, two more sold and given back.
    for (const { text } of [first, second]) assert.match(text, /Укупно[^]*34[^]*43\.767,50[^]*1[^]*-2\.501,00[^]*41\.266,50/)
  })

  it("shows its last page where an address asks for rows beyond it, and its first where it asks for nonsense", async () => {
    assert.deepStrictEqual((await shown(`${report}&from-row=999`)).rows, cashiers.slice(31))
    assert.deepStrictEqual((await shown(`${report}&from-row=1e999`)).rows, cashiers.slice(31))
    for (const row of ["-5", "x", ""]) assert.deepStrictEqual((await shown(`${report}&from-row=${row}`)).rows, cashiers.slice(0, 31), row)
  })

  it("has all rows in its files", async () => {
    const { text } = await client.get(report.replace("/reports", "/reports/csv"), { session: owner })
    for (const cashier of cashiers) assert.include(text, cashier)
  })
})
