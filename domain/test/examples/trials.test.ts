import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { pairTrials, type PrintedElsewhere, type UnpairedSale } from "../../src/elsewhere/pairTrials.ts"
import type { LineItem } from "../../src/documents/LineItem.ts"
import { compareTrial } from "../../src/elsewhere/compareTrial.ts"
import { readJournal } from "../../src/receipt-text/readJournal.ts"
import { saleAnswerText } from "./verificationVectors.ts"

const { journal } = JSON.parse(saleAnswerText) as { readonly journal: string }
const printed = Result.getOrThrow(readJournal(journal))

const line = (unitPrice: BigDecimal.BigDecimal, quantity: BigDecimal.BigDecimal, taxLabels: ReadonlyArray<string>): LineItem =>
  ({ name: "x", unitOfMeasure: null, quantity, unitPrice, unitPriceBeforeDiscount: null, gtin: null, catalogProductId: null, taxLabels, originalLineIndex: null } as LineItem)
const sale = (pfrNumber: string | null, para: number): UnpairedSale => ({ pfrNumber, items: [line(BigDecimal.make(BigInt(para), 2), BigDecimal.make(1n, 0), ["A"])] })
const receipt = (number: number, para: number): PrintedElsewhere => {
  const amount = BigDecimal.make(BigInt(para), 2)
  return { pfrNumber: `R-${number}`, printed: { ...printed, total: amount, items: [{ name: "x", labels: ["A"], unitPrice: amount, quantity: BigDecimal.make(1n, 0), amount }] } }
}

it("each receipt is given to at most one sale, none is lost, and no order of the requests pairs fewer of them", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 })
  fc.assert(fc.property(amounts, amounts, (ours, theirs) => {
    const receipts = theirs.map((para, at) => receipt(at, para))
    const { left, pairs } = pairTrials(ours.map((para) => sale(null, para)), receipts)
    const given = pairs.flatMap(({ receipt: found }) => found === null ? [] : [found])
    assert.strictEqual(new Set(given).size, given.length)
    assert.strictEqual(given.length + left.length, receipts.length)
    const most = [1, 2, 3, 4].reduce((sum, para) => sum + Math.min(ours.filter((one) => one === para).length, theirs.filter((one) => one === para).length), 0)
    assert.strictEqual(given.length, most)
  }))
})

it("a number in the log is stronger than the amounts, and a sale whose receipt is missing is given no other", () => {
  const receipts = [receipt(0, 100), receipt(1, 200)]
  const paired = (...sales: ReadonlyArray<UnpairedSale>) => pairTrials(sales, receipts).pairs.map(({ receipt: found }) => found?.pfrNumber ?? null)
  assert.deepStrictEqual(paired(sale(null, 100), sale("R-0", 200)), [null, "R-0"])
  assert.deepStrictEqual(paired(sale("R-9", 100), sale(null, 200)), [null, "R-1"])
})

it("the sale of a published receipt has no deviation, and one para more in any place is one", () => {
  const items = printed.items.map(({ labels, quantity, unitPrice }) => line(unitPrice, quantity, labels))
  const taxes = printed.taxes.map(({ amount, category, label, rate }) => ({ label, category, categoryType: 0 as const, rate, amount }))
  const tried = { items, payments: printed.payments, buyerId: printed.buyer, taxes }
  assert.deepStrictEqual(compareTrial(printed, tried), [])
  const para = BigDecimal.make(1n, 2)
  const more = <A extends { readonly amount: BigDecimal.BigDecimal }>(of: ReadonlyArray<A>) => of.map((one, at) => at === 0 ? { ...one, amount: BigDecimal.sum(one.amount, para) } : one)
  assert.include(compareTrial(printed, { ...tried, payments: more(tried.payments) }).map(({ what }) => what), printed.payments[0]?.type)
  assert.include(compareTrial(printed, { ...tried, taxes: more(taxes) }).map(({ what }) => what), "total tax")
  assert.deepStrictEqual(compareTrial(printed, { ...tried, buyerId: "10:100000008" }).map(({ what }) => what), ["buyer"])
  assert.deepStrictEqual(compareTrial(printed, { ...tried, items: [...items, ...items] }).map(({ what }) => what), ["items", "total"])
  assert.deepStrictEqual(compareTrial(printed, { ...tried, taxes: null }), [])
})
