import { readWorkbook } from "@overa/adapter-spreadsheets"
import { Result } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { callShop, issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { otherEsir, type OtherEsir, type OtherReceipt } from "../src/support/otherEsir.ts"
import { sampleItem } from "../src/support/sampleReceipts.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

let esir: OtherEsir
let owner: string
let sale: OtherReceipt
let refund: OtherReceipt
const items = [sampleItem("Вуна „Зима“, 100/50", "ком", "3", "411.50", "A"), sampleItem("Кафа", "kg", "0.750", "1299.99", "A")]

const bring = (text: string) => client.send("/elsewhere/import", owner, { taxpayer: stage.shop.taxpayerId, text })

beforeAll(async () => {
  esir = otherEsir("RS100000049", { root: stage.desk.simulator.sandbox.verificationUrl })
  owner = await stage.session(stage.people.OWNER)
  sale = esir.issue(1, { items, buyerId: "10:100000008", time: Date.UTC(2026, 9, 5, 8, 30) })
  refund = esir.issue(2, { items: items.slice(1), transactionType: "REFUND", time: Date.UTC(2026, 9, 6, 8, 30) })
  await issueSale(stage)
})

describe("receipts of another ESIR in the portal", () => {
  it("a person imports them, once; every fault is listed with its line and then nothing is imported", async () => {
    const stranger = otherEsir("RS100000008").issue(9)
    const refused = await bring(`${sale.journal}\n${stranger.journal}\n${sale.link.slice(0, 90)}`)
    assert.strictEqual(refused.status, 422)
    assert.match(refused.text, /Грешака: 2\./)
    assert.include(refused.text, "рачун је продавца 100000008")
    assert.deepStrictEqual(await rowsOf("select 1 from elsewhere_receipts"), [])
    const done = await bring([sale.journal, sale.link, refund.journal].join("\n"))
    assert.strictEqual(done.status, 200)
    assert.include(done.text, "Нових рачуна: 2; допуњених: 0; већ познатих: 0.")
    assert.include((await bring(sale.link)).text, "Нових рачуна: 0; допуњених: 0; већ познатих: 1.")
    assert.lengthOf((await activity()).filter((line) => line.includes("receipts of another ESIR imported")), 1)
  })

  it("the list has their mark, a filter, and sums of its own; the journal does not have them", async () => {
    const { text } = await client.get("/elsewhere", { session: owner })
    for (const part of [sale.pfrNumber, refund.pfrNumber, "издао други ЕСИР", "непроверен", "1.234,50"]) assert.include(text, part)
    const narrowed = (await client.get("/elsewhere?from=2026-10-06&to=2026-10-06", { session: owner })).text
    assert.include(narrowed, refund.pfrNumber)
    assert.notInclude(narrowed, sale.pfrNumber)
    assert.include((await client.get(`/elsewhere?number=${sale.pfrNumber.toLowerCase()}`, { session: owner })).text, "Нема таквог увезеног рачуна")
    assert.strictEqual((await client.get("/elsewhere?from=yesterday", { session: owner })).status, 422)
    assert.notInclude((await client.get("/receipts", { session: owner })).text, sale.pfrNumber)
  })

  it("one receipt: its text, why no refund is issued here, and the copy's request, with which the API issues the copy", async () => {
    const path = `/elsewhere/receipt?taxpayer=${stage.shop.taxpayerId}&number=${sale.pfrNumber}`
    const { text } = await client.get(path, { session: owner })
    assert.include(text, "Рефундација овог рачуна се не издаје овде")
    assert.include(text, "ЕСИР број:                        77/1.0")
    const shown = /<pre>(\{.*?\})<\/pre>/s.exec(text)?.[1] ?? assert.fail(text)
    const body = JSON.parse(shown.replaceAll("&quot;", "\"").replaceAll("&#34;", "\"").replaceAll("&amp;", "&")) as object
    const { pfr } = await callShop<{ readonly pfr: { readonly journal: string; readonly totalAmount: number } }>(stage, "/v1/fiscal-documents", {
      ...body, businessPremiseId: stage.shop.businessPremiseId, cashier: { id: "web-shop" }
    })
    assert.match(pfr.journal, new RegExp(`Реф\\. број: +${sale.pfrNumber}`))
    assert.include(pfr.journal, "КОПИЈА ПРОДАЈА")
    assert.strictEqual(pfr.totalAmount, 2209.49)
    assert.strictEqual((await client.get(path, { session: await stage.session(stage.people.OTHER) })).status, 404)
  })

  it("reports have them in a column of their own: by day, by month and in all; own columns are what they were", async () => {
    const report = "from=2026-10-01&to=2026-12-31"
    const rows = async (more: string) => {
      const answer = await fetch(`${stage.portal.url}/reports/xlsx?${report}${more}`, { headers: { cookie: `overa-session=${owner}` } })
      return Result.getOrThrow(readWorkbook(new Uint8Array(await answer.arrayBuffer()), 1_000)).rows.map(({ cells }) => cells)
    }
    const [titles = [], ...days] = await rows("&groupBy=day")
    const [net, other] = [titles.indexOf("Нето промет, RSD"), titles.indexOf("Код другог ЕСИР-а, RSD")]
    assert.deepStrictEqual(days.map((cells) => [cells[0]?.slice(0, 7), cells[net], cells[other] ?? ""]), [["2026-10", "0", "2209.49"], ["2026-10", "0", "-974.99"], ["2026-11", "3751.5", ""]])
    assert.deepStrictEqual((await rows("")).at(-1)?.at(other - 1), "1234.5")
    assert.notInclude((await rows("&groupBy=cashier"))[0] ?? [], "Код другог ЕСИР-а, RSD")
    const { text } = await client.get(`/reports?${report}&groupBy=month`, { session: owner })
    assert.include(text, "1.234,50")
    assert.include(text, "у својој је колони")
  })

  it("support may look and not import; an accountant too", async () => {
    const session = await stage.session(stage.people.SUPPORT)
    assert.strictEqual((await client.get("/elsewhere", { session })).status, 200)
    assert.strictEqual((await client.get("/elsewhere/import", { session })).status, 403)
  })
})
