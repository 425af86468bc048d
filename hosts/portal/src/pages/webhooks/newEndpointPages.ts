import { createWebhookEndpoint, decodeNewWebhookEndpoint, type NewWebhookEndpoint, mostEndpoints } from "@overa/domain"
import { Effect, Result } from "effect"
import { el } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { addressTaken, askedContent, contentFaults, contentFields } from "./contentForm.ts"
import { webhookSecretPage } from "./secretPages.ts"

const path = "/webhooks/new"

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { form, say } = visit
  const title = say("Нови вебхук", "New webhook")
  const { html, scripts } = yield* confirmedForm(
    visit,
    { action: path, submit: say("Додај", "Add") },
    faults,
    ...contentFields(visit, faults),
    choice({
      name: "signature", label: say("Потпис", "Signature"), value: form?.text("signature") || "v1",
      options: [["v1", say("Заједничка тајна (HMAC-SHA256)", "Shared secret (HMAC-SHA256)")], ["v1a", say("Јавни кључ (Ed25519)", "Public key (Ed25519)")]]
    })
  )
  return page(title, el("div", { class: "card" }, el("h1", {}, title), faultSummary(visit, faults), html), faultStatus(faults), scripts)
})

const addNow = Effect.fnUntraced(function*(visit: MemberVisit, content: NewWebhookEndpoint) {
  if (!(yield* isFirstSending(visit))) return redirect("/webhooks?done=already")
  const endpoint = yield* createWebhookEndpoint(actOf(visit), visit.tenant, content)
  return webhookSecretPage(visit, endpoint, visit.say("Вебхук је додат", "The webhook is added"))
}, (effect, visit) => Effect.catchTags(effect, {
  WebhookEndpointAlreadyExists: () => show(visit, addressTaken(visit)),
  WebhookEndpointLimitReached: () => show(visit, { url: visit.say(`Највише ${mostEndpoints} вебхукова; уклоните неки.`, `At most ${mostEndpoints} webhooks; remove one.`) })
}))

const add = Effect.fnUntraced(function*(visit: MemberVisit) {
  const content = decodeNewWebhookEndpoint({ ...askedContent(visit), signature: visit.form?.text("signature") ?? "" }, visit.environment)
  if (Result.isFailure(content)) return yield* show(visit, contentFaults(visit, content.failure.faults))
  return yield* confirmed(visit, addNow(visit, content.success), (faults) => show(visit, faults))
})

/** An owner adds an endpoint: asks for password or passkey, and shows the secret once. */
export const newEndpointRoutes = [memberRoute("GET", path, "credentials:write", (visit) => show(visit)), memberRoute("POST", path, "credentials:write", add)]
