import { BigDecimal } from "effect"

/**
 * A decimal in plain notation, never exponential. With `decimals` it is padded to exactly that many digits after the
 * point; without, trailing zeros are dropped (the canonical text of a number).
 *
 * @example formatDecimal(BigDecimal.fromStringUnsafe("1.50")) // "1.5"
 * @example formatDecimal(BigDecimal.fromStringUnsafe("1.5"), 2) // "1.50"
 */
export const formatDecimal = (value: BigDecimal.BigDecimal, decimals?: number): string => {
  const normal = BigDecimal.normalize(value)
  const scale = Math.max(normal.scale, 0)
  const unscaled = normal.scale < 0 ? normal.value * 10n ** BigInt(-normal.scale) : normal.value
  const sign = unscaled < 0n ? "-" : ""
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0")
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale)
  const padded = decimals === undefined ? fraction : fraction.padEnd(decimals, "0")
  return padded === "" ? sign + whole : `${sign}${whole}.${padded}`
}
