import { BigDecimal } from "effect"
import { roundToPara } from "../money/rounding.ts"

type Amount = { readonly amount: BigDecimal.BigDecimal }

/** A tax amount as printed on a receipt: the four-decimal sum of its label, rounded to the para (V-PFR §6.3). */
export const printedTax = (tax: Amount): BigDecimal.BigDecimal => roundToPara(tax.amount)

/**
 * The total tax as printed: the sum of the already rounded label amounts, not the rounded sum (V-PFR §6.3).
 *
 * @example 10.3082 and 107.3266 print as 10.31, 107.33 and 117.64
 */
export const printedTotalTax = (taxes: ReadonlyArray<Amount>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(taxes.map(printedTax))
