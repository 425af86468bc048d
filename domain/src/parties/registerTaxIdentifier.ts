import { Option } from "effect"

/** Domestic companies, whose name and address the company register knows (Spec, Resources, BuyerDetails). */
const registeredForm = /^(?:10|14):(\d{9})$|^12:(\d{9}):\d{1,10}$/

/**
 * Whether the ninth digit of a Serbian tax identifier is the check digit of the first eight (ISO 7064, MOD 11,10).
 *
 * @example hasRightCheckDigit("101670560") // true
 */
export const hasRightCheckDigit = (taxIdentifier: string): boolean => {
  if (!/^\d{9}$/.test(taxIdentifier)) return false
  const digits = [...taxIdentifier].map(Number)
  const remainder = digits.slice(0, 8).reduce((product, digit) => {
    const sum = (digit + product) % 10
    return ((sum === 0 ? 10 : sum) * 2) % 11
  }, 10)
  return (11 - remainder) % 10 === digits[8]
}

/**
 * The tax identifier for which the company register is asked: of a domestic company with a right check digit. A wrong check digit is not refused; the
 * register is only not asked (Decisions §1).
 */
export const registerTaxIdentifier = (buyerId: string | null): Option.Option<string> => {
  const match = registeredForm.exec(buyerId ?? "")
  const identifier = match?.[1] ?? match?.[2] ?? ""
  return hasRightCheckDigit(identifier) ? Option.some(identifier) : Option.none()
}
