import { BigDecimal } from "effect"

/** Half away from zero to `scale` decimals: the one rounding of fiscal money (Decisions §1; V-PFR §6.2, §6.5). */
export const roundHalfAwayFromZero = (value: BigDecimal.BigDecimal, scale: number): BigDecimal.BigDecimal =>
  BigDecimal.round(value, { scale, mode: "half-from-zero" })

/** To the para: two decimals. */
export const roundToPara = (value: BigDecimal.BigDecimal): BigDecimal.BigDecimal => roundHalfAwayFromZero(value, 2)
