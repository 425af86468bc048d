import { BigDecimal } from "effect"

/**
 * Rounds half away from zero to `scale` decimals: the one rounding of fiscal money (Decisions §1; V-PFR §6.2, §6.5). It works on whole numbers,
 * because one receipt needs about fifty roundings. A value that has no more decimals is returned unchanged.
 */
export const roundHalfAwayFromZero = (value: BigDecimal.BigDecimal, scale: number): BigDecimal.BigDecimal => {
  // Stryker disable next-line EqualityOperator: rounding by a unit of one changes nothing.
  if (value.scale <= scale) return value
  const unit = 10n ** BigInt(value.scale - scale)
  // Stryker disable next-line EqualityOperator: zero has no sign.
  const magnitude = value.value < 0n ? -value.value : value.value
  const rounded = (2n * magnitude + unit) / (2n * unit)
  // Stryker disable next-line EqualityOperator: zero has no sign.
  return BigDecimal.make(value.value < 0n ? -rounded : rounded, scale)
}

/** To the para: two decimals. */
export const roundToPara = (value: BigDecimal.BigDecimal): BigDecimal.BigDecimal => roundHalfAwayFromZero(value, 2)

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
