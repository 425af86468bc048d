import { type AmountRange, type FoundOrder, type JournalFilter, readJournalFilter } from "@overa/domain"
import { BigDecimal, DateTime, Result } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { dayEnd, dayStart } from "../../language/belgradeDays.ts"
import { typedAmount } from "../../language/typedAmount.ts"
import { readTyped } from "./typedText.ts"

/** The fields of the search, as typed. */
export const searchFields = ["text", "status", "invoiceType", "transactionType", "premise", "from", "to", "amountFrom", "amountTo"] as const
export type AskedReceipts = Readonly<Record<(typeof searchFields)[number], string>>

export const askedReceipts = ({ query }: Pick<MemberVisit, "query">): AskedReceipts =>
  Object.fromEntries(searchFields.map((name) => [name, (query.get(name) ?? "").trim()])) as AskedReceipts

/** The same search as an address, with added parameters. */
export const searchAddress = (path: string, asked: Partial<AskedReceipts>, more: Readonly<Record<string, string>> = {}): string => {
  const given = Object.entries({ ...asked, ...more }).filter(([, value]) => value !== "")
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

export const isSearching = (asked: AskedReceipts): boolean => searchFields.some((name) => asked[name] !== "")

/** The columns of the list that it can be arranged by, as the table has them. */
export const orderColumns = ["created", "number", "kind", "reference", "amount", "status"] as const satisfies ReadonlyArray<FoundOrder["by"]>

/** `sort=amount` from the smallest, `sort=-amount` from the largest; null is the journal's own order, latest first. */
export const askedOrder = ({ query }: Pick<MemberVisit, "query">): FoundOrder | null => {
  const asked = query.get("sort") ?? ""
  const by = orderColumns.find((it) => it === asked.replace(/^-/, ""))
  return by === undefined || asked === "-created" ? null : { by, descending: asked.startsWith("-") }
}

export const orderText = ({ by, descending }: FoundOrder): string => `${descending ? "-" : ""}${by}`

/**
 * The search that is meant where only a text was typed and it is an amount or a day; null where it is a text. The form then shows what was understood.
 * `as=text` asks for the text itself.
 */
export const meantSearch = (visit: MemberVisit, asked: AskedReceipts): Partial<AskedReceipts> | null => {
  if (asked.text === "" || visit.query.get("as") === "text" || isSearching({ ...asked, text: "" })) return null
  const typed = readTyped(asked.text)
  if (typed._tag === "Day") return { from: typed.day, to: typed.day }
  if (typed._tag === "Text") return null
  return { amountFrom: typed.amount, amountTo: typed.amount, ...(typed.isRefund ? { transactionType: "REFUND" } : {}) }
}

const names = { text: "text", status: "status", invoiceType: "invoiceType", transactionType: "transactionType", premise: "businessPremiseId" } as const

const dayFaults = (visit: MemberVisit, { from, to }: AskedReceipts): Faults => {
  const fault = visit.say("Унесите дан, нпр. 2026-01-31.", "Enter a day, 2026-01-31 for example.")
  return {
    ...(from === "" || dayStart(from) !== null ? {} : { from: fault }),
    ...(to === "" || dayEnd(to) !== null ? {} : { to: fault }),
    ...(from !== "" && to !== "" && to < from ? { to: visit.say("Последњи дан не може бити пре првог.", "The last day cannot be before the first.") } : {})
  }
}

const amountOf = (text: string): BigDecimal.BigDecimal | null => text === "" ? null : typedAmount(text)

const amountRange = ({ amountFrom, amountTo }: AskedReceipts): AmountRange => ({ from: amountOf(amountFrom), to: amountOf(amountTo) })

const amountFaults = (visit: MemberVisit, asked: AskedReceipts): Faults => {
  const fault = visit.say("Унесите износ, нпр. 2.399,99.", "Enter an amount, 2.399,99 for example.")
  const { from, to } = amountRange(asked)
  return {
    ...(asked.amountFrom !== "" && from === null ? { amountFrom: fault } : {}),
    ...(asked.amountTo !== "" && to === null ? { amountTo: fault } : {}),
    ...(from !== null && to !== null && BigDecimal.isLessThan(to, from)
      ? { amountTo: visit.say("Највећи износ не може бити мањи од најмањег.", "The largest amount cannot be below the smallest.") }
      : {})
  }
}

const instant = (name: string, at: DateTime.Utc | null) => at === null ? {} : { [name]: [DateTime.formatIso(at)] }

/** The search as the journal's filter, or its faults. */
export const readSearch = (visit: MemberVisit, asked: AskedReceipts): { readonly filter: JournalFilter } | { readonly faults: Faults } => {
  const faults = { ...dayFaults(visit, asked), ...amountFaults(visit, asked) }
  if (Object.keys(faults).length > 0) return { faults }
  const given = Object.entries(names).flatMap(([field, name]) => {
    const value = asked[field as keyof typeof names]
    return value === "" ? [] : [[name, [value]] as const]
  })
  const read = readJournalFilter({ ...Object.fromEntries(given), ...instant("createdFrom", dayStart(asked.from)), ...instant("createdTo", dayEnd(asked.to)) })
  if (Result.isFailure(read)) {
    return { faults: { text: visit.say("Скратите текст на највише 200 знакова и изаберите остало са списка.", "Shorten the text to at most 200 characters, and choose the rest from the lists.") } }
  }
  const amount = amountRange(asked)
  return { filter: amount.from === null && amount.to === null ? read.success : { ...read.success, amount } }
}
