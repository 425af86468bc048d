import { TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import type { MemberVisit } from "../http/Visit.ts"

/** The premises of the chosen environment, their names by id; with the taxpayer's name where there are several. */
export const premiseNames = Effect.fnUntraced(function*(visit: MemberVisit) {
  const entries = (yield* (yield* TenancyOversight).taxpayers(visit.organizationId)).filter(({ taxpayer }) => taxpayer.environment === visit.environment)
  const names: ReadonlyMap<string, string> = new Map(entries.flatMap(({ premises, taxpayer }) =>
    premises.map((premise) => [premise.id, entries.length === 1 ? premise.name : `${taxpayer.name} – ${premise.name}`] as const)))
  return names
})
