// A line of a receipt: no control character, no separator of lines or paragraphs.
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u
const longest = 50

/**
 * The name that a person's receipts print as their cashier, without space around it; null for a text that cannot be one. An e-mail address is none: a receipt goes to
 * strangers, and nobody can take it back.
 */
export const readCashierName = (text: string): string | null => {
  const name = text.trim()
  const isPrintable = oneLine.test(name) && [...name].length <= longest
  return isPrintable && !/[@＠﹫]/u.test(name) ? name : null
}
