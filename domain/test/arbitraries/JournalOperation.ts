import { BigDecimal, DateTime } from "effect"
import * as fc from "fast-check"
import type { DocumentContent } from "../../src/documents/DocumentContent.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { type Payment, PaymentType } from "../../src/documents/LineItem.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { PfrTime } from "../../src/time/PfrTime.ts"
import { belgradeTime } from "../../src/time/belgradeTime.ts"
import { operationOf, signedAnswer } from "./Operation.ts"
import { businessPremiseId, documentKind, fiscalDocumentId, taxpayerId } from "./ReferencedDocument.ts"
import { decimal, saleLine } from "./SaleLine.ts"

/** Around the turn of a year, at which Belgrade is an hour ahead of Greenwich. */
const firstMoment = DateTime.makeUnsafe("2026-12-31T22:00:00Z").epochMilliseconds

/** A moment of three days, on a whole minute so that equal ones are frequent. */
export const moment: fc.Arbitrary<DateTime.Utc> = fc
  .integer({ min: 0, max: 3 * 24 * 60 })
  .map((minutes) => DateTime.makeUnsafe(firstMoment + minutes * 60_000))

const shares = fc.record({
  types: fc.array(fc.constantFrom(...PaymentType.literals), { minLength: 2, maxLength: 2 }),
  share: fc.integer({ min: 0, max: 100 }),
  advanceShare: fc.integer({ min: 0, max: 100 }),
  closesAdvance: fc.boolean()
})

const percent = (amount: BigDecimal.BigDecimal, share: number): BigDecimal.BigDecimal =>
  BigDecimal.truncate(BigDecimal.multiply(amount, BigDecimal.make(BigInt(share), 2)), 2)

type PaidPart = Pick<DocumentContent, "items" | "payments" | "advanceClosing">

/** Lines paid in two ways; a sale that closes an advance pays only what remains. */
const paidLines: fc.Arbitrary<PaidPart> = fc
  .record({ items: fc.array(saleLine, { minLength: 1, maxLength: 4 }), shares })
  .map(({ items, shares: { types: [first = "CASH", second = "CARD"], share, advanceShare, closesAdvance } }) => {
    const total = totalAmount(items)
    const advance = closesAdvance ? percent(total, advanceShare) : decimal("0")
    const remaining = BigDecimal.subtract(total, advance)
    const part = percent(remaining, share)
    const payments: ReadonlyArray<Payment> = [
      { type: first, amount: part },
      { type: second, amount: BigDecimal.subtract(remaining, part) }
    ]
    return {
      items,
      payments,
      advanceClosing: closesAdvance
        ? {
          lastAdvanceNumber: "AAAA1111-AAAA1111-1",
          lastAdvanceTime: "2026-12-01T10:00:00+01:00",
          totalAdvance: advance,
          taxOnAdvance: decimal("0"),
          remaining
        }
        : null
    }
  })

const draft = fc.record({
  id: fiscalDocumentId,
  taxpayerId,
  businessPremiseId,
  kind: documentKind,
  status: fc.oneof(fc.constant("FISCALIZED" as const), fc.constantFrom(...DocumentStatus.literals)),
  createdAt: moment,
  paid: paidLines,
  taxPart: fc.integer({ min: 0, max: 10_000_000 }),
  counter: fc.integer({ min: 1, max: 9 }),
  cashier: fc.constantFrom("ana", "Бојан"),
  buyer: fc.constantFrom("10:101670560", "20:007", null),
  clientReference: fc.constantFrom("order-1", "Поруџбина 2", "=1+1", "a;b,\"c\"\r\nd")
})

/** An operation of any kind and status, signed exactly when it is FISCALIZED, a minute after it was made. */
export const journalOperation: fc.Arbitrary<Operation> = draft.map(
  ({ kind, paid, taxPart, counter, cashier, buyer, clientReference, ...place }) => {
    const base = operationOf()
    const isSale = kind.invoiceType === "NORMAL" && kind.transactionType === "SALE"
    const advance = paid.advanceClosing?.totalAdvance ?? decimal("0")
    const payments = isSale ? paid.payments : [...paid.payments, { type: "OTHER" as const, amount: advance }]
    const content = {
      ...base.content,
      ...kind,
      ...paid,
      payments,
      advanceClosing: isSale ? paid.advanceClosing : null,
      cashier: { id: cashier, displayName: null },
      buyer: buyer === null ? null : { id: buyer, optionalField: null },
      clientReference
    }
    const labels = [...new Set(paid.items.flatMap((item) => item.taxLabels))]
    const answer = {
      ...signedAnswer,
      pfr: {
        ...signedAnswer.pfr,
        invoiceNumber: `ABCD1234-ABCD1234-${counter}`,
        sdcTime: PfrTime.make(belgradeTime(DateTime.add(place.createdAt, { minutes: 1 }))),
        totalAmount: totalAmount(paid.items)
      },
      taxes: labels.map((label, at) => ({
        label,
        category: "ПДВ",
        categoryType: 0,
        rate: decimal("20"),
        amount: BigDecimal.make(BigInt(taxPart + at), 4)
      }))
    }
    return { ...base, ...place, content, answer: place.status === "FISCALIZED" ? answer : null }
  }
)

/** A journal: any operations, each of its own id. */
export const journalHistory: fc.Arbitrary<ReadonlyArray<Operation>> = fc.uniqueArray(journalOperation, {
  selector: (operation) => operation.id,
  maxLength: 12
})
