import { BigDecimal } from "effect"

/** `dividend / divisor` as a whole number, half away from zero. The divisor is positive. */
export const divideRounding = (dividend: bigint, divisor: bigint): bigint => {
  // Stryker disable next-line EqualityOperator: zero has no sign.
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  // Stryker disable next-line EqualityOperator: zero has no sign.
  return dividend < 0n ? -rounded : rounded
}

/** A value as a whole number of units of `decimals` decimals, half away from zero: 2.345 is 235 paras. */
export const unitsOf = ({ scale, value }: Pick<BigDecimal.BigDecimal, "scale" | "value">, decimals: number): bigint =>
  // Stryker disable next-line EqualityOperator: a unit of one changes nothing.
  scale > decimals ? divideRounding(value, 10n ** BigInt(scale - decimals)) : value * 10n ** BigInt(decimals - scale)

/**
 * Rounds half away from zero to `scale` decimals: the one rounding of fiscal money (Decisions §1; V-PFR §6.2, §6.5). It works on whole numbers,
 * because one receipt needs about fifty roundings. A value that has no more decimals is returned unchanged.
 */
export const roundHalfAwayFromZero = (value: BigDecimal.BigDecimal, scale: number): BigDecimal.BigDecimal =>
  // Stryker disable next-line EqualityOperator: rounding by a unit of one changes nothing.
  value.scale <= scale ? value : BigDecimal.make(unitsOf(value, scale), scale)

/** To the para: two decimals. */
export const roundToPara = (value: BigDecimal.BigDecimal): BigDecimal.BigDecimal => roundHalfAwayFromZero(value, 2)

/** The parts of a line from which its money is computed. */
export interface PricedLine {
  readonly quantity: BigDecimal.BigDecimal
  readonly unitPrice: BigDecimal.BigDecimal
  /** Set where a refund gives back what is left of its line; then it is the amount. */
  readonly signedAmount?: BigDecimal.BigDecimal
}

/** A line's money in paras: {@link lineAmount}. */
export const parasOf = ({ quantity, signedAmount, unitPrice }: PricedLine): bigint =>
  unitsOf(signedAmount ?? { value: quantity.value * unitPrice.value, scale: quantity.scale + unitPrice.scale }, 2)

/**
 * What the V-PFR signs for a line: quantity × unit price, rounded to the para (Decisions §1, Totals), or the remainder that completes
 * a refunded line (Decisions §5, Money).
 */
export const lineAmount = (line: PricedLine): BigDecimal.BigDecimal => BigDecimal.make(parasOf(line), 2)

/** The receipt's total: the sum of its rounded lines. */
export const totalAmount = (lines: ReadonlyArray<PricedLine>): BigDecimal.BigDecimal =>
  BigDecimal.make(lines.reduce((sum, line) => sum + parasOf(line), 0n), 2)
