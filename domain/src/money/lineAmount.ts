import { BigDecimal } from "effect"
import { roundToPara } from "./rounding.ts"

/** The parts of a line from which its money is computed. */
export interface PricedLine {
  readonly quantity: BigDecimal.BigDecimal
  readonly unitPrice: BigDecimal.BigDecimal
  /** Set where a refund gives back what is left of its line; then it is the amount. */
  readonly signedAmount?: BigDecimal.BigDecimal
}

/**
 * What the V-PFR signs for a line: quantity × unit price, rounded to the para (Decisions §1, Totals), or the remainder that completes
 * a refunded line (Decisions §5, Money).
 */
export const lineAmount = (line: PricedLine): BigDecimal.BigDecimal =>
  line.signedAmount ?? roundToPara(BigDecimal.multiply(line.quantity, line.unitPrice))

/** The receipt's total: the sum of its rounded lines. */
export const totalAmount = (lines: ReadonlyArray<PricedLine>): BigDecimal.BigDecimal => BigDecimal.sumAll(lines.map(lineAmount))
