/** The check digit of the first eight digits: ISO 7064, MOD 11,10. */
const checkDigit = (digits: ReadonlyArray<number>): number => {
  const remainder = digits.slice(0, 8).reduce((product, digit) => {
    const sum = (digit + product) % 10
    return ((sum === 0 ? 10 : sum) * 2) % 11
  }, 10)
  return (11 - remainder) % 10
}

/** Whether the ninth digit of a Serbian tax identifier (PIB) is the check digit of the first eight. */
export const hasRightCheckDigit = (taxIdentifier: string): boolean =>
  /^\d{9}$/.test(taxIdentifier) && checkDigit([...taxIdentifier].map(Number)) === Number(taxIdentifier[8])

/**
 * The check digit that a tax identifier of nine digits should end with, where it ends with another one. Undefined where it is right, and where the
 * text has another form: that is refused by other rules.
 *
 * @example digitExpectedInTaxIdentifier("101670561") // "0"
 */
export const digitExpectedInTaxIdentifier = (text: string): string | undefined =>
  /^\d{9}$/.test(text) && !hasRightCheckDigit(text) ? String(checkDigit([...text].map(Number))) : undefined

/** The forms of a buyer's identification that hold a tax identifier (Spec, Buyer identification). */
const withTaxIdentifier = /^(?:10|14):(\d{9})$|^12:(\d{9}):\d{1,10}$/

/** The tax identifier in a buyer's identification; undefined where another kind identifies the buyer. */
export const taxIdentifierIn = (buyerId: string): string | undefined => {
  const match = withTaxIdentifier.exec(buyerId)
  return match?.[1] ?? match?.[2]
}

/**
 * The same for a buyer's identification; foreign numbers, personal numbers and cards have no such digit.
 *
 * @example digitExpectedInBuyerId("10:101670561") // "0"
 */
export const digitExpectedInBuyerId = (buyerId: string): string | undefined => digitExpectedInTaxIdentifier(taxIdentifierIn(buyerId) ?? "")
