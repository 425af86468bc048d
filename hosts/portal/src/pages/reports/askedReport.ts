import { belgradeDay, readTurnoverQuery, TurnoverGrouping, type TurnoverQuery } from "@overa/domain"
import { DateTime, Result } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { dayEnd, dayStart } from "../../language/belgradeDays.ts"

/** What the form of the report says, as typed. */
export interface AskedReport {
  readonly from: string
  readonly to: string
  readonly premise: string
  readonly groupBy: ReadonlyArray<TurnoverGrouping>
}

const groupingsOf = (query: URLSearchParams): ReadonlyArray<TurnoverGrouping> =>
  TurnoverGrouping.literals.filter((grouping) => query.getAll("groupBy").includes(grouping))

/** The requested report; the current month by day where nothing was chosen. */
export const askedReport = (visit: MemberVisit, now: DateTime.Utc): AskedReport => {
  const { query } = visit
  const today = belgradeDay(now)
  return {
    from: query.get("from") ?? `${today.slice(0, 7)}-01`,
    to: query.get("to") ?? today,
    premise: query.get("premise") ?? "",
    groupBy: query.has("from") ? groupingsOf(query) : ["day"]
  }
}

/** The same report as an address, with further parameters. */
export const reportAddress = (path: string, { from, groupBy, premise, to }: AskedReport, more: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams([["from", from], ["to", to], ["premise", premise], ...groupBy.map((it) => ["groupBy", it]), ...Object.entries(more)]).toString()}`

const dayFault = (visit: MemberVisit): string => visit.say("Унесите дан, нпр. 2026-01-31.", "Enter a day, 2026-01-31 for example.")

/** The report's query, or its faults. */
export const readAsked = (visit: MemberVisit, asked: AskedReport): { readonly query: TurnoverQuery } | { readonly faults: Faults } => {
  const [from, to] = [dayStart(asked.from), dayEnd(asked.to)]
  const faults = { ...(from === null ? { from: dayFault(visit) } : {}), ...(to === null ? { to: dayFault(visit) } : {}) }
  if (from === null || to === null) return { faults }
  const read = readTurnoverQuery({
    pfrFrom: [DateTime.formatIso(from)],
    pfrTo: [DateTime.formatIso(to)],
    groupBy: asked.groupBy,
    ...(asked.premise === "" ? {} : { businessPremiseId: [asked.premise] })
  })
  if (Result.isSuccess(read) && asked.from <= asked.to) return { query: read.success }
  return { faults: { to: visit.say("Последњи дан не може бити пре првог; простор изаберите са списка.", "The last day cannot be before the first; choose the premise from the list.") } }
}
