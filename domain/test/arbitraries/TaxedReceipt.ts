import { BigDecimal } from "effect"
import * as fc from "fast-check"
import type { LineItem } from "../../src/documents/LineItem.ts"
import type { SignedTax } from "../../src/documents/PfrResult.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { taxByLabel } from "../../src/tax/taxByLabel.ts"
import { operationOf, signedAnswer } from "./Operation.ts"
import { decimal, lineOf } from "./SaleLine.ts"
import { groupOf, rate } from "./TaxRates.ts"

/** Rates of every category type, whole ones and others. */
export const everyRate = groupOf([
  rate("A", "VAT", "20"), rate("B", "VAT", "10"), rate("N", "N-TAX", "0"), rate("F", "ECAL", "7.25"), rate("T", "TOTL", "2", 1), rate("U", "TOTL", "5.5", 1), rate("P", "PBL", "0.50", 2)
])

/** A sale of these lines with these signed taxes, paid in two ways. */
export const receiptOf = (items: ReadonlyArray<LineItem>, taxes: ReadonlyArray<SignedTax>): Operation => {
  const base = operationOf({ status: "FISCALIZED" })
  const total = totalAmount(items)
  const cash = BigDecimal.truncate(BigDecimal.multiply(total, decimal("0.3")), 2)
  return {
    ...base,
    content: { ...base.content, items, payments: [{ type: "CASH", amount: cash }, { type: "CARD", amount: BigDecimal.subtract(total, cash) }] },
    answer: { ...signedAnswer, taxes }
  }
}

const line = fc.record({
  paras: fc.integer({ min: 100, max: 1_000_00 }),
  thousandths: fc.integer({ min: 1_000, max: 20_000 }),
  taxLabels: fc.uniqueArray(fc.constantFrom(...everyRate.rates.map(({ label }) => label)), { minLength: 1, maxLength: 4 })
}).map(({ paras, taxLabels, thousandths }) =>
  lineOf(BigDecimal.format(BigDecimal.make(BigInt(paras), 2)), BigDecimal.format(BigDecimal.make(BigInt(thousandths), 3)), { taxLabels }))

/** A sale with the taxes that the V-PFR signs for it, whose labels stand alone and together with others. */
export const taxedReceipt: fc.Arbitrary<Operation> = fc.array(line, { minLength: 1, maxLength: 6 }).map((items) => receiptOf(items, taxByLabel(items, everyRate)))
