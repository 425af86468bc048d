import { toLatin } from "@overa/domain"

/** The languages of the portal; Serbian is written once, in Cyrillic. */
export const languages = ["sr-Cyrl", "sr-Latn", "en"] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = { "sr-Cyrl": "Српски", "sr-Latn": "Srpski", en: "English" }

export const isLanguage = (text: string): text is Language => languages.some((language) => language === text)

/**
 * A sentence in the reader's language. Never put data (names, references) into it: it would be transliterated.
 *
 * @example
 * say("Рачуни", "Receipts")
 */
export type Say = (serbian: string, english: string) => string

export const speaker = (language: Language): Say => {
  if (language === "en") return (_serbian, english) => english
  return language === "sr-Latn" ? (serbian) => toLatin(serbian) : (serbian) => serbian
}

/** The best match of a browser's `Accept-Language`. */
export const preferredLanguage = (header: string): Language => {
  const wanted = header.toLowerCase().split(",").map((part) => part.split(";")[0]?.trim() ?? "")
  for (const tag of wanted) {
    if (tag.startsWith("en")) return "en"
    if (tag.startsWith("sr-latn") || /^(?:hr|bs|cnr)\b/.test(tag)) return "sr-Latn"
    if (tag.startsWith("sr")) return "sr-Cyrl"
  }
  return "sr-Cyrl"
}
