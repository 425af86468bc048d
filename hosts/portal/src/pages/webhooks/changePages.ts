import { decodeWebhookEndpointReplacement, replaceWebhookEndpoint, type WebhookEndpoint, type WebhookEndpointReplacement } from "@overa/domain"
import { Effect, Result } from "effect"
import { el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { addressTaken, askedContent, contentFaults, contentFields } from "./contentForm.ts"
import { namedEndpoint } from "./namedEndpoint.ts"

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const endpoint = yield* namedEndpoint(visit)
  const title = say("Измена вебхука", "Change the webhook")
  const { html, scripts } = yield* confirmedForm(visit, { action: visit.path, submit: say("Сачувај", "Save") }, faults, ...contentFields(visit, faults, endpoint))
  return page(title, el(
    "div",
    { class: "card" },
    el("h1", {}, title),
    faultSummary(visit, faults),
    el("p", {}, say(
      "Све што чека шаље се на нову адресу; ништа се не губи. Тајна остаје иста, па пријемник који се преселио не мења ништа.",
      "Everything that waits is sent to the new address; nothing is lost. The secret stays, so a receiver that has moved changes nothing."
    )),
    el("p", {}, say(
      "Ако на новој адреси одговара неко други, направите затим и нову тајну: ко зна садашњу, може да се представи као ми.",
      "If somebody else answers at the new address, make a new secret afterwards too: whoever knows the present one can pretend to be us."
    )),
    html
  ), faultStatus(faults), scripts)
})

const changeNow = Effect.fnUntraced(function*(visit: MemberVisit, id: WebhookEndpoint["id"], content: WebhookEndpointReplacement) {
  if (!(yield* isFirstSending(visit))) return redirect(`/webhooks/${id}?done=already`)
  const { status } = yield* replaceWebhookEndpoint(actOf(visit), visit.tenant, id, content)
  return redirect(`/webhooks/${id}?done=${status === "PAUSED" ? "webhook-changed-paused" : "webhook-changed"}`)
}, (effect, visit) => Effect.catchTags(effect, {
  WebhookEndpointAlreadyExists: () => show(visit, addressTaken(visit)),
  WebhookEndpointNotFound: () => new NotFound({})
}))

const change = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { id, status } = yield* namedEndpoint(visit)
  const content = decodeWebhookEndpointReplacement({ ...askedContent(visit), status }, visit.environment)
  if (Result.isFailure(content)) return yield* show(visit, contentFaults(visit, content.failure.faults))
  return yield* confirmed(visit, changeNow(visit, id, content.success), (faults) => show(visit, faults))
})

/** An owner changes the address, the description or the events of an endpoint: asks for password or passkey. */
export const changeRoutes = [
  memberRoute("GET", "/webhooks/:endpoint/change", "credentials:write", (visit) => show(visit)),
  memberRoute("POST", "/webhooks/:endpoint/change", "credentials:write", change)
]
