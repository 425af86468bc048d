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
