import type { DeliveryLocale } from "@overa/domain"

// Marks that change the direction of the text after them: a name must not reverse the rest of a line.
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A name without direction marks and line breaks. */
export const plainName = (text: string): string => text.replaceAll(directionMarks, "").replaceAll(/\s+/gu, " ").trim()

/**
 * A name in a header of the message. Mail readers decode encoded words (RFC 2047) inside a name, and show a name in the place of the address: a name must
 * not contain the one and not look like the other.
 */
export const headerName = (text: string): string =>
  plainName(text.replaceAll(/[\p{Cc}\u200b\u2060\ufeff]/gu, " ")).replaceAll("=?", "= ?").replaceAll(/[@\uff20\ufe6b]/gu, " at ").replaceAll(/[<>]/gu, " ").replaceAll(/\s+/gu, " ").trim()

/** A name in a line of plain text, isolated so that right-to-left letters in it do not move the rest of the line. */
export const isolated = (text: string): string => {
  const name = plainName(text)
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(name) ? `\u2068${name}\u2069` : name
}

/** HTML's special characters, escaped. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;").replaceAll("'", "&#39;")

/** Whole digits in groups of three. */
const grouped = (digits: string, separator: string): string => {
  const groups: Array<string> = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join(separator)
}

/**
 * An amount as readers of the language write it.
 *
 * @example shownAmount("1234.50", "sr-Cyrl") // "1.234,50 РСД"
 */
export const shownAmount = (amount: string, locale: DeliveryLocale): string => {
  const [whole = "0", fraction = "00"] = amount.split(".")
  if (locale === "en") return `RSD ${grouped(whole, ",")}.${fraction}`
  return `${grouped(whole, ".")},${fraction} ${locale === "sr-Cyrl" ? "РСД" : "RSD"}`
}

/**
 * The V-PFR's time with minutes and seconds, in its own digits: the official time of the receipt, never converted to another time zone.
 *
 * @example shownTime("2026-08-29T12:34:56.1234567+02:00", "sr-Latn") // "29.08.2026. 12:34:56"
 */
export const shownTime = (sdcTime: string, locale: DeliveryLocale): string => {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/.exec(sdcTime)
  if (match === null) return sdcTime
  const [, year, month, day, time] = match
  return locale === "en" ? `${year}-${month}-${day} ${time}` : `${day}.${month}.${year}. ${time}`
}
