import { assert, beforeAll, describe, it } from "vitest"
import { callShop, issueSale, refundAll } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

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

describe("a report with more rows than one may have", () => {
  const day = "2019-05-10"
  const asked = `from=${day}&to=${day}`
  const range = `pfrFrom=2019-05-09T00:00:00Z&pfrTo=2019-05-12T00:00:00Z`
  const refusal = "Извештај би имао више од 10.000 редова. Скратите период, или означите мање тога по чему се групише."

  beforeAll(async () => {
    const { businessPremiseId, organizationId, taxpayerId } = stage.shop
    const sums = `insert into turnover_days (organization_id, environment, day, taxpayer_id, premise_id, cashier_id, label_set, payment_type, tax_label, paras, tax, receipts, payments, labels, parts)
      select $1, 'sandbox', $5, $2, $3, 'session-' || at, 'A', 'CARD', 'A', 12000, 200000, 1, 1, 1, 1 from generate_series(1, $4::int) at`
    await rowsOf(sums, [organizationId, taxpayerId, businessPremiseId, 10_001, day])
  })

  it("says so with what to do, on the page and instead of its files, and the portal goes on", async () => {
    for (const path of ["/reports", "/reports/csv", "/reports/xlsx"]) {
      const { status, text } = await client.get(`${path}?${asked}&groupBy=cashier`, { session: owner })
      assert.strictEqual(status, 422, path)
      for (const said of [refusal, `value="${day}"`, 'value="cashier" checked']) assert.include(text, said, path)
    }
    const { status, text } = await client.get(`/reports?${asked}&groupBy=day`, { session: owner })
    assert.strictEqual(status, 200)
    assert.match(text, /1\.200\.120,00/)
  })

  it("is refused by the API, which names the groupings and the time", async () => {
    const refused = await callShop(stage, `/v1/reports/turnover?${range}&groupBy=cashier`).then(() => "answered", ({ message }: Error) => message)
    assert.deepInclude(JSON.parse(refused), { status: 422, errors: { GroupBy: ["would give more than 10000 rows: ask for a shorter time (pfrFrom, pfrTo), or group by less"] } })
    assert.lengthOf((await callShop<{ readonly rows: ReadonlyArray<object> }>(stage, `/v1/reports/turnover?${range}&groupBy=day`)).rows, 1)
  })
})
