import { belgradeMonth, belgradeMonthRange, foldText, type Taxpayer, TaxpayerId } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { ownTaxpayers } from "../catalogue/ownTaxpayers.ts"

/** A taxpayer's month, as an address names it. */
export interface AskedMonth {
  readonly taxpayer: Taxpayer
  readonly taxpayers: ReadonlyArray<Taxpayer>
  /** `2026-11`. */
  readonly month: string
  readonly range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
}

const monthForm = /^\d{4}-(?:0[1-9]|1[0-2])$/

const middleOf = (month: string): DateTime.Utc | null =>
  monthForm.test(month) ? Option.getOrNull(Option.map(DateTime.make(`${month}-15T12:00:00Z`), DateTime.toUtc)) : null

/** The months that can be chosen, the latest first. */
export const monthsShown = 24

export const monthsBefore = (now: DateTime.Utc, count = monthsShown): ReadonlyArray<string> => {
  const months: Array<string> = []
  for (let at = now; months.length < count; at = DateTime.subtract(belgradeMonthRange(at).from, { hours: 12 })) months.push(belgradeMonth(at))
  return months
}

/** The month that was asked for, else last month; another organization's taxpayer is not found, and null where there is none at all. */
export const askedMonth = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayers = (yield* ownTaxpayers(visit)).map(({ taxpayer }) => taxpayer)
  const id = visit.query.get("taxpayer") ?? taxpayers[0]?.id
  if (id === undefined) return null
  const taxpayer = taxpayers.find((it) => it.id === id)
  const month = visit.query.get("month") ?? monthsBefore(yield* DateTime.now, 2)[1] ?? ""
  const middle = middleOf(month)
  if (taxpayer === undefined || middle === null) return yield* new NotFound({})
  return { taxpayer: { ...taxpayer, id: TaxpayerId.make(taxpayer.id) }, taxpayers, month, range: belgradeMonthRange(middle) } satisfies AskedMonth
})

/** The address of a file or page of this month. */
export const monthAddress = (path: string, { month, taxpayer }: Pick<AskedMonth, "month" | "taxpayer">, more: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams({ taxpayer: taxpayer.id, month, ...more }).toString()}`

/** `knjizara-zora-100000049-2026-11`: the name of a month's file, with shop and period. */
export const monthFileName = ({ month, taxpayer }: Pick<AskedMonth, "month" | "taxpayer">): string =>
  `${foldText(taxpayer.name).split(/[^a-z0-9]/).filter((word) => word !== "").join("-")}-${taxpayer.taxIdentifier}-${month}`
