import { BigDecimal } from "effect"
import { lineAmount, totalAmount } from "../money/rounding.ts"
import type { PrintedReceipt } from "../receipt-text/readJournal.ts"
import { printedTax, printedTotalTax, taxByLabel } from "../tax/taxByLabel.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import { type Deviation, unlike } from "./deviations.ts"

/**
 * What this service would have had signed otherwise for the same lines and payments, to the para: each line's amount, the total, the payments' sum, and with
 * the authority's rates of that time each rate and each tax as printed. Empty where both would have printed the same. Without rates those are not compared. `what` is `total`, `item 2`, `payments`,
 * `rate Ђ`, `tax Ђ` or `total tax`.
 */
export const compareElsewhere = (printed: PrintedReceipt, rates: TaxRateGroup | null): ReadonlyArray<Deviation> => {
  const items = printed.items.map((item) => ({ ...item, taxLabels: item.labels }))
  const total = totalAmount(items)
  const paid = BigDecimal.subtract(BigDecimal.sumAll(printed.payments.map(({ amount }) => amount)), printed.change ?? BigDecimal.make(0n, 2))
  const amounts = [
    ...items.flatMap((item, at) => unlike(`item ${at + 1}`, BigDecimal.abs(item.amount), lineAmount(item))),
    ...unlike("total", BigDecimal.abs(printed.total), total),
    ...unlike("payments", paid, total)
  ]
  if (rates === null) return amounts
  const ours = taxByLabel(items, rates)
  const ofLabel = (label: string) => ours.find((tax) => tax.label === label) ?? null
  return [
    ...amounts,
    ...printed.taxes.flatMap(({ label, rate }) => unlike(`rate ${label}`, rate, ofLabel(label)?.rate ?? null)),
    ...printed.taxes.flatMap(({ amount, label }) => {
      const tax = ofLabel(label)
      return unlike(`tax ${label}`, BigDecimal.abs(amount), tax === null ? null : printedTax(tax))
    }),
    ...unlike("total tax", BigDecimal.abs(printed.totalTax), printedTotalTax(ours))
  ]
}
