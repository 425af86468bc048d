import type { JournalFilter, Tenant } from "@overa/domain"
import { mostSought, numberingOf, soughtParts } from "../search/searchGrams.ts"

/** The values of an operation that never change and that a filter compares whole. */
export interface WholeValues {
  readonly taxpayerId: string | null
  readonly businessPremiseId: string | null
  readonly invoiceType: string | null
  readonly transactionType: string | null
  readonly clientReference: string | null
  readonly buyerId: string | null
  readonly cashierId: string | null
}

const names: ReadonlyArray<keyof WholeValues> = [
  "taxpayerId",
  "businessPremiseId",
  "invoiceType",
  "transactionType",
  "clientReference",
  "buyerId",
  "cashierId"
]

/** The month of an instant in UTC, `2026-08`: part of the numbers of an entry, so that a search can proceed month by month. */
export const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7)

/** The months from one instant back to an earlier one, the latest first. */
export const monthsBack = (from: Date, to: Date): ReadonlyArray<string> => {
  const months: Array<string> = []
  let [year = 0, month = 0] = monthOf(from).split("-").map(Number)
  for (const last = monthOf(to);;) {
    const name = `${year}-${String(month).padStart(2, "0")}`
    if (name < last) return months
    months.push(name)
    month -= 1
    if (month === 0) [year, month] = [year - 1, 12]
  }
}

export const monthNumbering = ({ environment, organizationId }: Tenant, month: string) => numberingOf(organizationId, environment, month)

/** The numbers of whole values; an equals sign keeps them distinct from the numbers of parts of texts. */
export const wholeTerms = (numbering: (text: string) => number, values: WholeValues): ReadonlyArray<number> =>
  names.flatMap((name) => (values[name] === null ? [] : [numbering(`${name}=${values[name]}`)]))

/** The end of a receipt's number, from any character of its first two parts on. */
const endOfNumber = /^(?:[0-9a-z]{0,8}-)?[0-9a-z]{1,8}(-\d{3,})$/i

/**
 * What a text is looked up by. Of a number only the counter: an element signs all of its receipts with the same two parts before it, and their lists in the index
 * are as long as the month.
 */
const lookedUp = (text: string): string => endOfNumber.exec(text)?.[1] ?? text

/** The parts by which the filter's text is looked up (`soughtParts`); none where it has no text. */
export const partsOfText = ({ text }: JournalFilter, texts: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  text === null ? [] : soughtParts(lookedUp(text), mostSought.inLongTexts, texts)

/** The numbers that every entry of a month has that matches the filter and has these parts of its text; none where the filter uses nothing that has numbers. */
export const soughtTerms = (tenant: Tenant, filter: JournalFilter, month: string, parts: ReadonlyArray<string>): ReadonlyArray<number> => {
  const numbering = monthNumbering(tenant, month)
  return [...wholeTerms(numbering, filter), ...new Set(parts.map(numbering))]
}

/** The number of the value that the fewest documents of a month have; null where the filter has no such value. */
export const rarestTerm = (tenant: Tenant, { buyerId, cashierId, clientReference }: JournalFilter, month: string): number | null => {
  const none = { taxpayerId: null, businessPremiseId: null, invoiceType: null, transactionType: null }
  return wholeTerms(monthNumbering(tenant, month), { ...none, clientReference, buyerId, cashierId })[0] ?? null
}
