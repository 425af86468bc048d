import { BigDecimal } from "effect"
import * as fc from "fast-check"
import type { ExternalAdvance } from "../../src/advances/AdvanceCase.ts"
import type { AdvanceSale } from "../../src/advances/advanceChain.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { PaymentType } from "../../src/documents/LineItem.ts"
import { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { dinars, lineOf } from "./SaleLine.ts"

export const advanceSaleId = (number: number): FiscalDocumentId =>
  FiscalDocumentId.make(`01900005-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)

const advanceItems = fc.array(
  fc.record({ amount: dinars(1_000_00), labels: fc.constantFrom(["Ђ"], ["Е"], ["Г"], ["А"], ["A"], ["A", "P"], ["P", "A"]) }),
  { minLength: 1, maxLength: 3 }
)

/** An Advance Sale of any status, paid in full by up to two payment types; numbers are given by `advanceSales`. */
const advanceSale = fc.record({
  status: fc.oneof(fc.constant("FISCALIZED" as const), fc.constantFrom(...DocumentStatus.literals)),
  cancelled: fc.boolean(),
  items: advanceItems,
  types: fc.array(fc.constantFrom(...PaymentType.literals), { minLength: 2, maxLength: 2 }),
  share: fc.integer({ min: 0, max: 100 }),
  taxParts: fc.integer({ min: 0, max: 10_000_000 })
})

/** The Advance Sales of a case, oldest first, each with its own number. */
export const advanceSales: fc.Arbitrary<ReadonlyArray<AdvanceSale>> = fc.array(advanceSale, { maxLength: 5 }).map((drafts) =>
  drafts.map(({ items, types: [first = "CASH", second = "CARD"], share, taxParts, ...draft }, at) => {
    const total = BigDecimal.sumAll(items.map((item) => item.amount))
    const part = BigDecimal.truncate(BigDecimal.multiply(total, BigDecimal.make(BigInt(share), 2)), 2)
    return {
      ...draft,
      id: advanceSaleId(at + 1),
      previousId: at === 0 ? null : advanceSaleId(at),
      cancelled: draft.cancelled && draft.status === "FISCALIZED",
      items: items.map((item) => lineOf(BigDecimal.format(item.amount), "1", { taxLabels: item.labels })),
      payments: [{ type: first, amount: part }, { type: second, amount: BigDecimal.subtract(total, part) }],
      taxes: [{
        label: "Ђ",
        category: "О-ПДВ",
        categoryType: 0,
        rate: BigDecimal.fromBigInt(20n),
        amount: BigDecimal.make(BigInt(taxParts), 4)
      }],
      pfr: draft.status === "FISCALIZED"
        ? { invoiceNumber: `AAAA1111-AAAA1111-${at + 1}`, sdcTime: `2026-08-29T12:30:0${at}.1234567+02:00` }
        : null
    }
  })
)

export const externalAdvance: fc.Arbitrary<ExternalAdvance> = fc.record({
  documentNumber: fc.constant("12345678-ABCDEFGH-1"),
  documentTime: fc.constant("2022-01-05T12:00:00+01:00"),
  amount: dinars(1_000_00),
  taxAmount: dinars(100_00)
})
