import { BigDecimal } from "effect"
import { withoutTrailingZeros } from "./trailingZeros.ts"
import { UnrepresentableNumber } from "./UnrepresentableNumber.ts"

const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/

/** Numbers with more digits are not distinct for every reader of JSON (Decisions §1). */
const mostSignificantDigits = 15
/** Positions before and after the point that a number may use: far beyond every bound, and few enough to be cheap. */
const farthestPosition = 200
/** Longer than every number within those positions: a longer one is refused before its digits are read. */
export const longestNumber = 512

/**
 * A number of a JSON text as the exact decimal that is written there (Decisions §1). More than 15 significant digits, a digit too far from the point,
 * or more than 512 characters make it an `UnrepresentableNumber`, which the decoders refuse at its place.
 *
 * @example decimalFromJsonNumber("1.50e1") // the decimal 15
 */
export const decimalFromJsonNumber = (text: string): BigDecimal.BigDecimal | UnrepresentableNumber => {
  // The fast path for one digit: most quantities, and the usual filling of a hostile body.
  if (text.length === 1 && text >= "0" && text <= "9") return BigDecimal.fromBigInt(BigInt(text))
  const parts = text.length > longestNumber ? null : jsonNumber.exec(text)
  if (parts === null) return new UnrepresentableNumber(text.slice(0, longestNumber))
  const fraction = parts[3] ?? ""
  const digits = `${parts[2]}${fraction}`.replace(/^0+/, "")
  const significant = withoutTrailingZeros(digits)
  if (significant === "") return BigDecimal.fromBigInt(0n)
  const scale = fraction.length - Number(parts[4] ?? 0) - (digits.length - significant.length)
  const isRepresentable = significant.length <= mostSignificantDigits && scale <= farthestPosition &&
    significant.length - scale <= farthestPosition
  return isRepresentable
    ? BigDecimal.make(BigInt(`${parts[1]}${significant}`), scale)
    : new UnrepresentableNumber(text)
}
