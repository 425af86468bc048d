import { type BusinessPremise, type TaxpayerEntry, TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"

/** A premise of the organization, with its taxpayer. */
export interface ElementPlace {
  readonly entry: TaxpayerEntry
  readonly premise: BusinessPremise
}

/** The premise of the address, in the selected environment; a premise of another organization is not found. */
export const placeOf = Effect.fnUntraced(function*(visit: MemberVisit) {
  for (const entry of yield* (yield* TenancyOversight).taxpayers(visit.organizationId)) {
    const premise = entry.premises.find((it) => it.id === visit.params["premise"] && it.environment === visit.environment)
    if (premise !== undefined) return { entry, premise } satisfies ElementPlace
  }
  return yield* new NotFound({})
})
