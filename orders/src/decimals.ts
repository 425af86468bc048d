/**
 * A decimal: its text, or a number that prints as one. A sum like 0.1 + 0.2 prints seventeen digits and is refused, so no rounding fault of a program
 * gets onto a receipt.
 */
export type Amount = number | string

/** The units of 10^-scale in a decimal; null where the text is no decimal or has more decimals. */
export const unitsOf = (value: Amount, scale: number): bigint | null => {
  const found = /^(-?)(\d{1,12})(?:\.(\d{1,20}))?$/.exec(String(value))
  if (found === null) return null
  const [, sign, whole = "", fraction = ""] = found
  if (/[1-9]/.test(fraction.slice(scale))) return null
  const units = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"))
  return sign === "-" ? -units : units
}

/** The decimal's text, with exactly `scale` decimals. */
export const textOf = (units: bigint, scale: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  return `${units < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
}

/** The number that prints as this decimal: exact, because the service takes at most fifteen digits. */
export const numberOf = (units: bigint, scale: number): number => Number(textOf(units, scale))

/** A quotient rounded half away from zero, as the V-PFR rounds. The divisor is positive. */
export const rounded = (dividend: bigint, divisor: bigint): bigint => {
  const magnitude = dividend < 0n ? -dividend : dividend
  const quotient = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -quotient : quotient
}

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** An amount that a shop keeps in its smallest unit, as a decimal: 12345 is "123.45". */
export const fromMinorUnits = (paras: number): string => textOf(BigInt(paras), 2)

/** Dinars as people read them in a message. */
export const dinars = (paras: bigint): string => textOf(paras, 2)

/** Quantities are thousandths. */
export const thousandths = 1_000n
