import { type JournalFilter, readJournalFilter } from "@overa/domain"
import { DateTime, Result } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { dayEnd, dayStart } from "../../language/belgradeDays.ts"

/** The fields of the search, as typed. */
export const searchFields = ["text", "status", "invoiceType", "transactionType", "premise", "from", "to"] as const
export type AskedReceipts = Readonly<Record<(typeof searchFields)[number], string>>

export const askedReceipts = ({ query }: MemberVisit): AskedReceipts =>
  Object.fromEntries(searchFields.map((name) => [name, (query.get(name) ?? "").trim()])) as AskedReceipts

/** The same search as an address, with added parameters. */
export const searchAddress = (path: string, asked: AskedReceipts, more: Readonly<Record<string, string>> = {}): string => {
  const given = Object.entries({ ...asked, ...more }).filter(([, value]) => value !== "")
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

export const isSearching = (asked: AskedReceipts): boolean => searchFields.some((name) => asked[name] !== "")

const names = { text: "text", status: "status", invoiceType: "invoiceType", transactionType: "transactionType", premise: "businessPremiseId" } as const

const dayFaults = (visit: MemberVisit, { from, to }: AskedReceipts): Faults => {
  const fault = visit.say("Унесите дан, нпр. 2026-01-31.", "Enter a day, 2026-01-31 for example.")
  return {
    ...(from === "" || dayStart(from) !== null ? {} : { from: fault }),
    ...(to === "" || dayEnd(to) !== null ? {} : { to: fault }),
    ...(from !== "" && to !== "" && to < from ? { to: visit.say("Последњи дан не може бити пре првог.", "The last day cannot be before the first.") } : {})
  }
}

const instant = (name: string, at: DateTime.Utc | null) => at === null ? {} : { [name]: [DateTime.formatIso(at)] }

/** The search as the journal's filter, or its faults. */
export const readSearch = (visit: MemberVisit, asked: AskedReceipts): { readonly filter: JournalFilter } | { readonly faults: Faults } => {
  const faults = dayFaults(visit, asked)
  if (Object.keys(faults).length > 0) return { faults }
  const given = Object.entries(names).flatMap(([field, name]) => {
    const value = asked[field as keyof typeof names]
    return value === "" ? [] : [[name, [value]] as const]
  })
  const read = readJournalFilter({ ...Object.fromEntries(given), ...instant("createdFrom", dayStart(asked.from)), ...instant("createdTo", dayEnd(asked.to)) })
  if (Result.isSuccess(read)) return { filter: read.success }
  return { faults: { text: visit.say("Скратите текст на највише 200 знакова и изаберите остало са списка.", "Shorten the text to at most 200 characters, and choose the rest from the lists.") } }
}
