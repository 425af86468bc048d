/**
 * The check digit that a GTIN should end with, where it ends with another one (GS1 General Specifications, modulo 10). Undefined where it is right, and
 * where the text is not 8 to 14 digits. Zeros in front change nothing, so a code whose zeros a spreadsheet has dropped is judged right.
 *
 * @example digitExpectedInGtin("8600000000010") // "5"
 */
export const digitExpectedInGtin = (gtin: string): string | undefined => {
  if (!/^\d{8,14}$/.test(gtin)) return undefined
  const digits = Array.from(gtin.slice(0, -1), Number)
  const sum = digits.reduce((before, digit, at) => before + digit * ((digits.length - at) % 2 === 1 ? 3 : 1), 0)
  const expected = String((10 - (sum % 10)) % 10)
  return gtin.endsWith(expected) ? undefined : expected
}
