import { BigDecimal } from "effect"

/**
 * `part` of `whole` of an amount of money, to the para, half away from zero. Computed in whole numbers, so that only the one rounding loses digits.
 *
 * @param amount Not negative, at most two decimals.
 * @example shareOf(BigDecimal.fromStringUnsafe("100.00"), 1, 3) // 33.33
 */
export const shareOf = (amount: BigDecimal.BigDecimal, part: number, whole: number): BigDecimal.BigDecimal => {
  const paras = BigDecimal.scale(amount, 2).value
  const of = BigInt(whole)
  return BigDecimal.make((2n * paras * BigInt(part) + of) / (2n * of), 2)
}
