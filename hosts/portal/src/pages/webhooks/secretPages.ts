import { rotateWebhookSecret, rotationHours, verifierOf, type WebhookEndpoint } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { namedEndpoint } from "./namedEndpoint.ts"

/** The secret, or for Ed25519 the public key, which this page alone shows. */
export const webhookSecretPage = ({ say }: MemberVisit, { id, secrets, signature, url }: WebhookEndpoint, title: string): Reply =>
  page(title, [
    el("h1", {}, title),
    signature === "v1"
      ? notice("wait", el("p", {}, say("Тајна се приказује само сада. Сачувајте је тамо где ваш програм чува лозинке.", "The secret is shown only now. Put it where your program keeps passwords.")))
      : null,
    facts([
      [say("Адреса", "Address"), el("span", { class: "secret" }, url)],
      [signature === "v1" ? say("Тајна", "Secret") : say("Јавни кључ", "Public key"), el("span", { class: "secret" }, verifierOf(secrets[0]) ?? "")]
    ]),
    el("p", {}, say("Тиме ваш програм проверава потпис сваке поруке (Standard Webhooks).", "With it your program verifies the signature of each message (Standard Webhooks).")),
    el("p", {}, el("a", { href: `/webhooks/${id}` }, say("Даље", "Continue")))
  ])

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const { url } = yield* namedEndpoint(visit)
  const title = say("Нова тајна", "New secret")
  const { html, scripts } = yield* confirmedForm(visit, { action: visit.path, submit: say("Направи нову тајну", "Make a new secret") }, faults)
  return page(title, el(
    "div",
    { class: "card narrow" },
    el("h1", {}, title),
    faultSummary(visit, faults),
    el("p", {}, el("span", { class: "secret" }, url)),
    el("p", {}, say(`Садашња тајна потписује још ${rotationHours} сата, уз нову: пријемник који има једну од њих проверава сваку поруку.`, `The present secret signs for ${rotationHours} more hours beside the new one: a receiver with either of them verifies every message.`)),
    html
  ), faultStatus(faults), scripts)
})

const rotateNow = Effect.fnUntraced(function*(visit: MemberVisit, id: WebhookEndpoint["id"]) {
  if (!(yield* isFirstSending(visit))) return redirect(`/webhooks/${id}?done=already`)
  const rotated = yield* rotateWebhookSecret(actOf(visit), visit.tenant, id)
  return webhookSecretPage(visit, rotated, visit.say("Нова тајна је направљена", "The new secret is made"))
}, Effect.catchTag("WebhookEndpointNotFound", () => new NotFound({})))

const rotate = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { id } = yield* namedEndpoint(visit)
  return yield* confirmed(visit, rotateNow(visit, id), (faults) => show(visit, faults))
})

/** An owner replaces a secret: asks for password or passkey, and shows the new one once. */
export const secretRoutes = [
  memberRoute("GET", "/webhooks/:endpoint/secret", "credentials:write", (visit) => show(visit)),
  memberRoute("POST", "/webhooks/:endpoint/secret", "credentials:write", rotate)
]
