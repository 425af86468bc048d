import { BigDecimal } from "effect"
import { formatDecimal } from "../money/decimals.ts"
import { lineAmount, totalAmount } from "../money/rounding.ts"
import type { PrintedReceipt } from "../receipt-text/readJournal.ts"
import { printedTax, printedTotalTax, taxByLabel } from "../tax/taxByLabel.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"

/** One amount that this service would have had signed otherwise. `ours` is null where we would have none. */
export interface ElsewhereDeviation {
  /** `total`, `item 2`, `payments`, `rate Ђ`, `tax Ђ`, `total tax`. */
  readonly what: string
  readonly theirs: string
  readonly ours: string | null
}

const para = (amount: BigDecimal.BigDecimal): string => formatDecimal(amount, 2)

const unlike = (what: string, theirs: BigDecimal.BigDecimal, ours: BigDecimal.BigDecimal | null): ReadonlyArray<ElsewhereDeviation> =>
  ours !== null && BigDecimal.Equivalence(theirs, ours) ? [] : [{ what, theirs: para(theirs), ours: ours === null ? null : para(ours) }]

/**
 * What this service would have had signed otherwise for the same lines and payments, to the para: each line's amount, the total, the payments' sum, and with
 * the authority's rates of that time each rate and each tax as printed. Empty where both would have printed the same. Without rates those are not compared.
 */
export const compareElsewhere = (printed: PrintedReceipt, rates: TaxRateGroup | null): ReadonlyArray<ElsewhereDeviation> => {
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
