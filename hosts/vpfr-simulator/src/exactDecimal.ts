/** A decimal number as a count of 10^-scale; money, quantities and taxes never pass through floating point. */
export interface ExactDecimal {
  readonly units: bigint
  readonly scale: number
}

const pattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Reads the source text of a JSON number; null where it is none, or larger than any amount on a receipt. */
export const parseDecimal = (text: string): ExactDecimal | null => {
  const match = pattern.exec(text)
  if (match === null || text.length > 64) return null
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > 64) return null
  const digits = BigInt(sign + whole + fraction)
  return normalize(scale < 0 ? { units: digits * 10n ** BigInt(-scale), scale: 0 } : { units: digits, scale })
}

const normalize = ({ scale, units }: ExactDecimal): ExactDecimal => {
  if (units === 0n) return { units, scale: 0 }
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n
    scale -= 1
  }
  return { units, scale }
}

/** Rounds half away from zero (V-PFR §6.2). */
export const divideRounded = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const rounded = (2n * top + bottom) / (2n * bottom)
  return negative ? -rounded : rounded
}

/** The number as a count of 10^-scale, rounded half away from zero where it has more decimals. */
export const unitsAt = (decimal: ExactDecimal, scale: number): bigint =>
  decimal.scale <= scale
    ? decimal.units * 10n ** BigInt(scale - decimal.scale)
    : divideRounded(decimal.units, 10n ** BigInt(decimal.scale - scale))

/** `formatUnits(123456n, 2)` is `"1234.56"`, a valid JSON number. */
export const formatUnits = (units: bigint, scale: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0")
  const whole = digits.slice(0, digits.length - scale)
  const sign = units < 0n ? "-" : ""
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`
}

const inThousands = (digits: string): string => {
  const sign = digits.startsWith("-") ? 1 : 0
  let grouped = digits
  for (let at = digits.length - 3; at > sign; at -= 3) grouped = `${grouped.slice(0, at)}.${grouped.slice(at)}`
  return grouped
}

/** `formatSerbian(123456n, 2)` is `"1.234,56"`, as the journal prints it (V-PFR §8.1). */
export const formatSerbian = (units: bigint, scale: number): string => {
  const [whole = "", fraction] = formatUnits(units, scale).split(".")
  const grouped = inThousands(whole)
  return fraction === undefined ? grouped : `${grouped},${fraction}`
}
