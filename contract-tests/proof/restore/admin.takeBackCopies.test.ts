import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { cashCancellation, cashRefund, closing, type Pair } from "./madeDocuments.ts"
import { RestoredShop } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterEach(() => shop.vpfr.clearFaults())
afterAll(() => shop.close())

// The cases read deep into answers of several shapes.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const kinds = [
  ["the copy of a cash refund", cashRefund, "Key KEPT"],
  ["the copy of a cash cancellation", cashCancellation, "Key KEPT"],
  ["the final sale of a closing", closing, "Key KEPT"]
] as const

const orders: ReadonlyArray<readonly [string, (pair: Pair) => ReadonlyArray<Json>]> = [
  ["before that of the document it is made of", ({ first, made }) => [made, first]],
  ["after that of the document it is made of", ({ first, made }) => [first, made]],
  ["several times", ({ first, made }) => [made, made, first, made]],
  ["alone", ({ made }) => [made]]
]

const cases = kinds.flatMap(([what, prepare, kept]) => orders.map(([order, files]) => ({ what, prepare, kept, order, files })))

describe("`admin restore take-back` before the worker has found the document that another one is made of", () => {
  it.each(cases)("$what is not signed again, and can be read, where its proof is given $order", async ({ files, kept, prepare }) => {
    const pair = await prepare(shop)
    const before = await pair.seen()
    const signed = await shop.signed()
    await shop.declared(async () => {
      // The search does not answer while the operator gives the files.
      await shop.vpfr.fault({ fault: "search-unavailable" })
      await pair.toThePoint()
      const told: Array<string> = []
      for (const file of files(pair)) told.push(await shop.told(file))
      expect(told.filter((line) => line === `0 ${kept}`)).toHaveLength(1)
      expect(told.every((line) => [`0 ${kept}`, "0 Key KNOWN"].includes(line))).toBe(true)
      expect((await shop.documentOf(pair.first.document.id)).status).toMatch(/SUBMITTING|OUTCOME_UNKNOWN|RECONCILING/)
      await shop.vpfr.clearFaults()
      await shop.becomes(pair.made.document.id, "FISCALIZED")
      await shop.becomes(pair.first.document.id, "FISCALIZED")
    })
    await shop.goesOn()
    const added = (await shop.signed()) - signed
    expect(await pair.seen()).toEqual(before)
    // One sale to see that the restore is over.
    expect(added).toBe(1)
  }, 120_000)

  it("of an answer alone says that nothing can be kept", async () => {
    const pair = await cashRefund(shop)
    await shop.declared(async () => {
      await shop.vpfr.fault({ fault: "search-unavailable" })
      await pair.toThePoint()
      expect(await shop.told(pair.made.document)).toBe("3 Key UNSIGNED")
      expect(await shop.told(pair.made)).toBe("0 Key KEPT")
      await shop.vpfr.clearFaults()
      await shop.becomes(pair.made.document.id, "FISCALIZED")
    })
  }, 120_000)
})
