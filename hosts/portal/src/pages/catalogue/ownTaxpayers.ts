import { TaxpayerId, type TaxpayerEntry, TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import type { Html } from "../../html/el.ts"
import { choice } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"

/** The taxpayers of the chosen environment. */
export const ownTaxpayers = Effect.fnUntraced(function*(visit: MemberVisit) {
  const entries = yield* (yield* TenancyOversight).taxpayers(visit.organizationId)
  return entries.filter(({ taxpayer }) => taxpayer.environment === visit.environment)
})

/** The chosen taxpayer; another organization's is not found. */
export const chosenTaxpayer = Effect.fnUntraced(function*(visit: MemberVisit, id: string) {
  const found = (yield* ownTaxpayers(visit)).find(({ taxpayer }) => taxpayer.id === id)
  return found === undefined ? yield* new NotFound({}) : TaxpayerId.make(found.taxpayer.id)
})

/** The choice of the taxpayer whose products are shown. */
export const taxpayerChoice = (visit: MemberVisit, entries: ReadonlyArray<TaxpayerEntry>, value: string): Html =>
  choice({
    name: "taxpayer",
    label: visit.say("Обвезник", "Taxpayer"),
    value,
    options: entries.map(({ taxpayer }) => [taxpayer.id, `${taxpayer.name} (${taxpayer.taxIdentifier})`] as const)
  })
