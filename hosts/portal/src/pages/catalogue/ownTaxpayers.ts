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

/** Those that have a catalogue: nothing is imported for an inactive one, or exported. */
export const activeTaxpayers = (visit: MemberVisit) =>
  Effect.map(ownTaxpayers(visit), (entries) => entries.filter(({ taxpayer }) => taxpayer.status === "active"))

const chosenOf = (entries: ReadonlyArray<TaxpayerEntry>, id: string): Effect.Effect<TaxpayerId, NotFound> => {
  const found = entries.find(({ taxpayer }) => taxpayer.id === id)
  return found === undefined ? new NotFound({}) : Effect.succeed(TaxpayerId.make(found.taxpayer.id))
}

/** The chosen taxpayer; another organization's is not found. */
export const chosenTaxpayer = (visit: MemberVisit, id: string) => Effect.flatMap(ownTaxpayers(visit), (entries) => chosenOf(entries, id))

/** The chosen taxpayer, if it has a catalogue. */
export const chosenActive = (visit: MemberVisit, id: string) => Effect.flatMap(activeTaxpayers(visit), (entries) => chosenOf(entries, id))

/** The choice of the taxpayer whose products are shown. */
export const taxpayerChoice = (visit: MemberVisit, entries: ReadonlyArray<TaxpayerEntry>, value: string): Html =>
  choice({
    name: "taxpayer",
    label: visit.say("Обвезник", "Taxpayer"),
    value,
    options: entries.map(({ taxpayer }) => [taxpayer.id, `${taxpayer.name} (${taxpayer.taxIdentifier})`] as const)
  })
