import { BigDecimal } from "effect"

/** Whether a decimal is written with no more than `scale` digits after the point, trailing zeros aside. */
export const hasAtMostDecimals = (value: BigDecimal.BigDecimal, scale: number): boolean =>
  // Stryker disable next-line ConditionalExpression,EqualityOperator: only quicker; what follows says the same of such a value.
  value.scale <= scale || BigDecimal.normalize(value).scale <= scale

/**
 * A decimal in plain notation, never exponential. With `decimals` it is padded to exactly that many digits after the
 * point; without, trailing zeros are dropped (the canonical text of a number).
 *
 * @example formatDecimal(BigDecimal.fromStringUnsafe("1.50")) // "1.5"
 * @example formatDecimal(BigDecimal.fromStringUnsafe("1.5"), 2) // "1.50"
 */
export const formatDecimal = (value: BigDecimal.BigDecimal, decimals = 0): string => {
  // Stryker disable next-line EqualityOperator: zero has no sign.
  const magnitude = value.value < 0n ? -value.value : value.value
  const sign = value.value < 0n ? "-" : ""
  // Stryker disable next-line EqualityOperator: a scale of zero is written alike either way.
  if (value.scale <= 0) {
    const whole = magnitude === 0n ? "0" : `${magnitude}${"0".repeat(-value.scale)}`
    return decimals === 0 ? sign + whole : `${sign}${whole}.${"0".repeat(decimals)}`
  }
  const digits = magnitude.toString().padStart(value.scale + 1, "0")
  const point = digits.length - value.scale
  let end = digits.length
  // Stryker disable next-line ConditionalExpression,EqualityOperator: before the point there is nothing left to cut from the fraction.
  while (end > point && digits.charCodeAt(end - 1) === zeroDigit) end -= 1
  const fraction = digits.slice(point, end).padEnd(decimals, "0")
  return fraction === "" ? sign + digits.slice(0, point) : `${sign}${digits.slice(0, point)}.${fraction}`
}

const zeroDigit = 48

/**
 * The digits before the point in groups of three, with points between them, as Serbian readers write them.
 *
 * @example inThousands("1234567") // "1.234.567"
 */
export const inThousands = (digits: string): string => {
  const sign = digits.startsWith("-") ? 1 : 0
  let grouped = digits
  for (let at = digits.length - 3; at > sign; at -= 3) grouped = `${grouped.slice(0, at)}.${grouped.slice(at)}`
  return grouped
}
