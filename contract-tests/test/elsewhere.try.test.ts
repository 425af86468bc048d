import { formatDecimal, type LineItem, totalAmount } from "@overa/domain"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { OperatorDesk } from "../src/support/operatorDesk.ts"
import { otherEsir, type OtherEsir } from "../src/support/otherEsir.ts"
import { sampleItem } from "../src/support/sampleReceipts.ts"
import type { Shop } from "../src/support/openShop.ts"
import { shopDesk } from "../src/support/shopDesk.ts"

let desk: OperatorDesk
let shop: Shop
let esir: OtherEsir
beforeAll(async () => {
  ;({ desk, shop } = await shopDesk())
  esir = otherEsir("RS100000049", { root: desk.simulator.sandbox.verificationUrl })
}, 240_000)
afterAll(() => desk.close())

const kafa = [sampleItem("Кафа", "кг", "3", "411.50", "A")]
const knjige = [sampleItem("Књига „Сеобе“", "ком", "2", "1234.50", "A"), sampleItem("Кеса", "ком", "1", "10.00", "A")]

const numberOf = (decimal: Parameters<typeof formatDecimal>[0]) => Number(formatDecimal(decimal))
/** The request that the shop's program would send for the same sale. */
const request = (items: ReadonlyArray<LineItem>, more: object = {}) => ({
  taxpayerId: shop.taxpayerId, businessPremiseId: shop.businessPremiseId, clientReference: "ORDER", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: items.map(({ name, quantity, taxLabels, unitOfMeasure, unitPrice }) => ({ name, unitOfMeasure, quantity: numberOf(quantity), unitPrice: numberOf(unitPrice), taxLabels })),
  payments: [{ type: "CARD", amount: numberOf(totalAmount(items)) }], ...more
})
const lines = (name: string, ...of: ReadonlyArray<object | string>) => desk.file(name, of.map((one) => typeof one === "string" ? one : JSON.stringify(one)).join("\n"))
const bring = async (...of: ReadonlyArray<{ readonly journal: string }>) => {
  const answer = await desk.admin(["elsewhere", "import", shop.taxpayerId, desk.file("receipts.txt", of.map(({ journal }) => journal).join("\n")), "--reason", "a month beside", "--json"])
  expect(answer.code).toBe(0)
}
const month = (year: number) => ["--from", `${year}-03-01`, "--to", `${year}-04-01`, "--json"]
const time = (year: number, day: number) => Date.UTC(year, 2, day, 9)
const tried = (year: number, ...files: ReadonlyArray<string>) => desk.admin(["elsewhere", "try", shop.taxpayerId, ...files, ...month(year)])

describe("the shop's own requests beside the other ESIR", () => {
  it("agree to the para, whatever their order, from a log, with and without the receipt's number", async () => {
    const [one, two, three] = [esir.issue(1, { items: kafa, time: time(2025, 3) }), esir.issue(2, { items: knjige, time: time(2025, 4) }), esir.issue(3, { items: kafa, time: time(2025, 5) })]
    await bring(one, two, three)
    const file = lines("same.jsonl", request(knjige), "", `2025-03-03T09:00:00Z POST /v1/fiscal-documents ${JSON.stringify(request(kafa))}`, { pfrNumber: three.pfrNumber, request: request(kafa) })
    expect(await tried(2025, file)).toMatchObject({ code: 0, json: { tried: 3, paired: 3, different: [], sums: { theirs: "4948.00", ours: "4948.00" } } })
    const operations = await (await desk.database.client()).query("select count(*)::int as count from operations where organization_id = $1", [shop.organizationId])
    expect(operations.rows).toEqual([{ count: 0 }])
  })

  it("differ to the para: amounts, payments, buyer, labels, a tax; a refused request says its code; nothing is left out", async () => {
    const off = esir.issue(13, { items: kafa, time: time(2024, 6) })
    const cheaper = [sampleItem("Кафа", "кг", "3", "411.51", "A")]
    const receipts = [
      esir.issue(10, { items: kafa, time: time(2024, 3) }), esir.issue(11, { items: knjige, buyerId: "10:100000008", time: time(2024, 4) }), esir.issue(12, { items: knjige, time: time(2024, 5) }),
      { ...off, journal: off.journal.replaceAll("101,93", "101,94") }, esir.issue(14, { items: knjige, time: time(2024, 7) }), esir.issue(15, { items: kafa, transactionType: "REFUND", time: time(2024, 8) })
    ]
    await bring(...receipts)
    const named = (at: number, body: object) => ({ pfrNumber: receipts[at]?.pfrNumber, request: body })
    const file = lines(
      "other.jsonl", named(0, request(cheaper)), named(1, request(knjige)), named(2, request(knjige, { payments: [{ type: "CASH", amount: 2479 }] })), named(3, request(kafa)),
      request(kafa, { items: [{ ...request(kafa).items[0], taxLabels: ["Ђ"] }] }), { pfrNumber: "NOT-THERE-1", request: request(kafa) }, "no request at all", { invoiceType: "NORMAL" }
    )
    const answer = await tried(2024, file)
    expect(answer).toMatchObject({ code: 3, json: { tried: 7, paired: 4, otherKinds: 1, linksAlone: 0 } })
    const told = (answer.json.different as ReadonlyArray<{ readonly place: string; readonly pfrNumber: string | null; readonly deviations: ReadonlyArray<{ readonly what: string; readonly theirs: string | null; readonly ours: string | null }> }>)
      .map(({ deviations, place, pfrNumber }) => [place.replace(/^.*:/, ""), pfrNumber?.replace(/^.*-/, "") ?? null, deviations.map(({ ours, theirs, what }) => `${what}: ${theirs} ${ours}`)])
    expect(told).toEqual([
      ["7", null, ["not read: there is no JSON in it: null null"]],
      ["1", "10", ["item 1 price: 411.50 411.51", "item 1 amount: 1234.50 1234.53", "total: 1234.50 1234.53", "CARD: 1234.50 1234.53"]],
      ["2", "11", ["buyer: 10:100000008 null"]],
      ["3", "12", ["CARD: 2479.00 null", "CASH: null 2479.00"]],
      ["4", "13", ["tax A: 101.94 101.93", "total tax: 101.94 101.93"]],
      ["5", null, [expect.stringMatching(/^refused: TAX_LABEL_NOT_CURRENT: null null$/), "no receipt of the other ESIR: null 1234.50"]],
      ["6", "1", ["no receipt of the other ESIR: null 1234.50"]],
      ["8", null, [expect.stringMatching(/^refused: REQUEST_INVALID \(\//), "no receipt of the other ESIR: null null"]],
      ["-", "14", ["no request: 2479.00 null"]]
    ])
    const shown = await desk.admin(["elsewhere", "try", shop.taxpayerId, file, ...month(2024).slice(0, -1)])
    expect(shown.out).toContain("Not compared: 1 refunds and advances, 0 receipts known by their link only.")
  })

  it("a file that is not there, and a hostile line", async () => {
    expect(await tried(2023, "/nowhere.jsonl")).toMatchObject({ code: 2, err: expect.stringContaining("cannot be opened") })
    const answer = await tried(2023, lines("hostile.jsonl", "[".repeat(100_000), `{"a":`.repeat(50_000), `{"request":{"__proto__":{"x":1}}}`, "{\"taxpayerId\":\"\\u0000\"}", `{"x":"${"y".repeat(1_100_000)}"}`))
    expect(answer).toMatchObject({ code: 3, json: { tried: 2, paired: 0 } })
  })
})
