import type { Act, BusinessPremise, TaxpayerEntry } from "@overa/domain"
import { readShop, rehearseShop } from "@overa/host-kit/rehearsal"
import { type DateTime, Effect } from "effect"
import { page } from "../http/Reply.ts"
import type { PersonVisit } from "../http/Visit.ts"
import { PortalSettings } from "../layers.ts"
import { rehearsalHtml } from "./rehearsalHtml.ts"

export const rehearsalTitle = ["Проба пре првог правог рачуна", "Rehearsal of going live"] as const

export const rehearsalWarning = [
  "Пробава се све што продаји треба, и потписује се један рачун обуке; ништа друго се не издаје. Траје до једног минута.",
  "All that a sale needs is tried, and one Training receipt is signed; nothing else is issued. It takes up to a minute."
] as const

/** Rehearses going live at a premise and shows each step. */
export const rehearse = Effect.fnUntraced(function*(
  visit: PersonVisit,
  place: { readonly entry: TaxpayerEntry; readonly premise: BusinessPremise },
  given: { readonly act: Act; readonly backedUpAt: DateTime.Utc | null; readonly isForOperator: boolean }
) {
  const { mail, vpfr } = yield* PortalSettings
  const steps = yield* rehearseShop(yield* readShop(place), { config: { mail, vpfr }, act: given.act, backedUpAt: given.backedUpAt })
  const title = visit.say(...rehearsalTitle)
  return page(title, rehearsalHtml(visit, `${title}: ${place.premise.name}`, steps, given.isForOperator))
})
