import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { form } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { rehearsalTitle, rehearsalWarning, rehearse } from "../rehearse.ts"
import { placeOf } from "./elementPlace.ts"

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const { entry, premise } = yield* placeOf(visit)
  const title = say(...rehearsalTitle)
  return page(title, all(
    el("h1", {}, title),
    facts([
      [say("Обвезник", "Taxpayer"), entry.taxpayer.name],
      [say("Пословни простор", "Premise"), premise.name],
      [say("Окружење", "Environment"), environmentWords(say, premise.environment)]
    ]),
    notice("wait", el("p", {}, say(...rehearsalWarning))),
    form(visit, { action: `/setup/rehearsal/${premise.id}`, submit: say("Пробај", "Rehearse") })
  ))
})

const run = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = yield* placeOf(visit)
  // Each rehearsal has one receipt signed: a form that is sent twice has one.
  if (!(yield* isFirstSending(visit))) return redirect(`/setup/rehearsal/${place.premise.id}`)
  return yield* rehearse(visit, place, { act: actOf(visit), backedUpAt: null, isForOperator: false })
})

/** A shop's rehearsal of going live. */
export const rehearsalRoutes = [
  memberRoute("GET", "/setup/rehearsal/:premise", "setup:write", show),
  memberRoute("POST", "/setup/rehearsal/:premise", "setup:write", run)
]
