import { formatDecimal, type InvoiceContent, type InvoiceLanguage, type InvoiceLine, toLatin } from "@overa/domain"
import type { BigDecimal } from "effect"

/** A sentence in the language; the Latin script is made from the Cyrillic. Names and other data never go into it: they would be transliterated. */
export type Say = (serbian: string, english: string) => string

/** The language that a PDF says it is in. */
export const documentTags: Readonly<Record<InvoiceLanguage, string>> = { "sr-Cyrl": "sr-Cyrl-RS", "sr-Latn": "sr-Latn-RS", en: "en" }

/** A function that chooses the text in the invoice's language. */
export const speaker = (language: InvoiceLanguage): Say => {
  if (language === "en") return (_serbian, english) => english
  return language === "sr-Latn" ? (serbian) => toLatin(serbian) : (serbian) => serbian
}

/** A day as it is printed: `29.08.2026.` */
export const printedDay = (day: string): string => `${day.split("-").toReversed().join(".")}.`

/** A month as it is printed: `08.2026.` */
export const printedMonth = printedDay

/** A rate as it is printed: `20`, `9,5`. */
export const printedRate = (rate: BigDecimal.BigDecimal): string => formatDecimal(rate).replace(".", ",")

const names: Readonly<Record<InvoiceLine["kind"], readonly [serbian: string, english: string]>> = {
  LICENSE: ["Лиценца за продукцију", "Production licence"],
  ADVANCE_MODULE: ["Модул за авансе", "Module for advances"],
  EMAIL_MODULE: ["Модул за слање е-поштом", "Module for sending by e-mail"],
  DOCUMENTS: ["Рачуни преко укључених", "Documents beyond the included ones"]
}

/** The name of a line. */
export const lineName = (say: Say, { kind }: InvoiceLine): string => say(...names[kind])

/** The quantity of a line: a whole month, days of a month, or documents. */
export const lineQuantity = (say: Say, { daysOfMonth, quantity }: InvoiceLine): string => {
  if (daysOfMonth === null) return String(quantity)
  return quantity === daysOfMonth ? say("1 месец", "1 month") : say(`${quantity} од ${daysOfMonth} дана`, `${quantity} of ${daysOfMonth} days`)
}

/** The number of documents in the month, and how many are included. */
export const usageSentence = (say: Say, { documents, includedDocuments }: InvoiceContent): string =>
  say(`Рачуна у месецу: ${documents}; укључено у лиценцу: ${includedDocuments}.`, `Documents in the month: ${documents}; included in the licence: ${includedDocuments}.`)
