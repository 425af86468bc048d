import { BigDecimal, DateTime, Equal } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { arranged, type FoundDocument, type FoundOrder, shownAmount, sumOfFound } from "../../src/journal/foundDocuments.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { InvoiceType, TransactionType } from "../../src/documents/InvoiceType.ts"

const paras = (count: number): BigDecimal.BigDecimal => BigDecimal.make(BigInt(count), 2)

const documents: fc.Arbitrary<ReadonlyArray<FoundDocument>> = fc.uniqueArray(
  fc.record({
    id: fc.uuid({ version: 7 }),
    at: fc.nat(5),
    status: fc.constantFrom(...DocumentStatus.literals),
    invoiceType: fc.constantFrom(...InvoiceType.literals),
    transactionType: fc.constantFrom(...TransactionType.literals),
    counter: fc.option(fc.nat(120)),
    clientReference: fc.constantFrom("а", "b", "10", "9"),
    amount: fc.nat(100_000)
  }).map(({ amount, at, counter, id, transactionType, ...rest }): FoundDocument => ({
    ...rest,
    id: id as FoundDocument["id"],
    createdAt: DateTime.toUtc(DateTime.makeUnsafe(at)),
    transactionType,
    pfrNumber: counter === null ? null : `ABCD1234-ABCD1234-${counter}`,
    amount: shownAmount(transactionType, paras(amount))
  })),
  { selector: ({ id }) => id, maxLength: 30 }
)
const orders: fc.Arbitrary<FoundOrder> = fc.record({ by: fc.constantFrom("created", "number", "kind", "reference", "amount", "status"), descending: fc.boolean() })

describe("what a search found", () => {
  it("is summed: net is sales less what was given back, and every document is counted once", () => {
    fc.assert(fc.property(documents, (found) => {
      const { net, others, refunds, sales } = sumOfFound(found)
      assert.strictEqual(sales.receipts + refunds.receipts + others, found.length)
      const signed = found.filter(({ invoiceType, status }) => status === "FISCALIZED" && ["NORMAL", "ADVANCE"].includes(invoiceType))
      assert.isTrue(Equal.equals(net, BigDecimal.sumAll(signed.map(({ amount }) => amount))))
      assert.isFalse(BigDecimal.isNegative(sales.amount))
      assert.isFalse(BigDecimal.isPositive(refunds.amount))
    }))
  })

  it("stands in the order asked for, whatever order it came in, with nothing lost", () => {
    fc.assert(fc.property(documents, orders, fc.infiniteStream(fc.nat()), (found, order, keys) => {
      const ids = arranged(found, order).map(({ id }) => id)
      const shuffled = found.map((it) => [keys.next().value ?? 0, it] as const).sort(([one], [other]) => one - other).map(([, it]) => it)
      assert.deepStrictEqual(arranged(shuffled, order).map(({ id }) => id), ids)
      assert.deepStrictEqual([...ids].sort(), found.map(({ id }) => id).sort())
    }))
  })

  it("by amount, a refund stands below every sale; by number, 9 stands before 10", () => {
    fc.assert(fc.property(documents, fc.boolean(), (found, descending) => {
      const amounts = arranged(found, { by: "amount", descending }).map(({ amount }) => BigDecimal.toNumberUnsafe(amount))
      assert.deepStrictEqual(amounts, [...amounts].sort((one, other) => (descending ? other - one : one - other)))
      const counters = arranged(found, { by: "number", descending }).flatMap(({ pfrNumber }) => pfrNumber === null ? [] : [Number(pfrNumber.split("-")[2])])
      assert.deepStrictEqual(counters, [...counters].sort((one, other) => (descending ? other - one : one - other)))
    }))
  })
  it("in pages is what it is as a whole, also where the last document of a page is no longer found", () => {
    fc.assert(fc.property(documents, orders, fc.integer({ min: 1, max: 7 }), fc.nat(), (found, order, perPage, gone) => {
      const whole = arranged(found, order)
      const pages: Array<FoundDocument> = []
      for (let left = found; ;) {
        const page = arranged(left, order, pages.at(-1) ?? null).slice(0, perPage)
        if (page.length === 0) break
        pages.push(...page)
        if (gone % 2 === 1) left = left.filter((document) => document !== page.at(-1))
      }
      assert.deepStrictEqual(pages, whole)
    }))
  })
})
