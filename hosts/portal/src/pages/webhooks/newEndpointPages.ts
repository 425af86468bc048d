import { changeTypes, createWebhookEndpoint, type Fault, decodeNewWebhookEndpoint, type NewWebhookEndpoint, mostEndpoints } from "@overa/domain"
import { Effect, Result } from "effect"
import { el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, tick } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { webhookSecretPage } from "./secretPages.ts"
import { typeWords } from "./webhookWords.ts"

const path = "/webhooks/new"

const typeTicks = ({ form, say }: MemberVisit, fault: string | undefined): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, say("Означени догађаји", "Marked events")),
    fault === undefined ? null : el("p", { class: "fault" }, fault),
    changeTypes.map((type) => tick({ name: "type", value: type, label: [say(...typeWords[type]), " ", el("span", { class: "hint" }, type)], checked: form?.texts("type").includes(type) === true }))
  )

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { form, say } = visit
  const title = say("Нови вебхук", "New webhook")
  const { html, scripts } = yield* confirmedForm(
    visit,
    { action: path, submit: say("Додај", "Add") },
    faults,
    field({
      name: "url", label: say("Адреса", "Address"), required: true, autocomplete: "off", value: form?.text("url") ?? "", fault: faults["url"],
      hint: visit.environment === "production"
        ? say("Почиње са https:// и доступна је са интернета.", "It begins with https:// and can be reached from the internet.")
        : say("Почиње са https://, у тесту може и http://, и доступна је са интернета.", "It begins with https://, in the sandbox also http://, and can be reached from the internet.")
    }),
    field({ name: "description", label: say("Опис", "Description"), hint: say("За вас: нпр. веб продавница.", "For you: web shop, for example."), autocomplete: "off", value: form?.text("description") ?? "", fault: faults["description"] }),
    choice({
      name: "reach", label: say("Догађаји", "Events"), value: form?.text("reach") || "all",
      options: [["all", say("Сви, и они из каснијих издања", "All, also those of later releases")], ["some", say("Само означени", "Only those marked below")]]
    }),
    typeTicks(visit, faults["eventTypes"]),
    choice({
      name: "signature", label: say("Потпис", "Signature"), value: form?.text("signature") || "v1",
      options: [["v1", say("Заједничка тајна (HMAC-SHA256)", "Shared secret (HMAC-SHA256)")], ["v1a", say("Јавни кључ (Ed25519)", "Public key (Ed25519)")]]
    })
  )
  return page(title, el("div", { class: "card" }, el("h1", {}, title), faultSummary(visit, faults), html), faultStatus(faults), scripts)
})

const asked = ({ form }: MemberVisit) => ({
  url: form?.text("url") ?? "",
  description: form?.text("description") || null,
  signature: form?.text("signature") ?? "",
  eventTypes: form?.text("reach") === "all" ? null : form?.texts("type") ?? []
})

/** The decoder's own faults, at the fields of the form. */
const faultsOf = ({ say }: MemberVisit, found: ReadonlyArray<Fault>): Faults => {
  const words: Readonly<Record<string, string>> = {
    url: say("Упишите адресу која почиње са https://, без лозинке и без знака #.", "Enter an address that begins with https://, without a password and without #."),
    description: say("Највише 200 знакова.", "At most 200 characters."),
    eventTypes: say("Означите бар један догађај.", "Mark at least one event."),
    signature: say("Изаберите потпис.", "Choose a signature.")
  }
  const nameOf = ({ pointer }: Fault): string => pointer.split("/")[1] ?? ""
  return Object.fromEntries(found.map((fault) => [nameOf(fault), words[nameOf(fault)] ?? say("Исправите.", "Correct this.")]))
}

const addNow = Effect.fnUntraced(function*(visit: MemberVisit, content: NewWebhookEndpoint) {
  if (!(yield* isFirstSending(visit))) return redirect("/webhooks?done=already")
  const endpoint = yield* createWebhookEndpoint(actOf(visit), visit.tenant, content)
  return webhookSecretPage(visit, endpoint, visit.say("Вебхук је додат", "The webhook is added"))
}, (effect, visit) => Effect.catchTags(effect, {
  WebhookEndpointAlreadyExists: () => show(visit, { url: visit.say("Други вебхук већ има ову адресу.", "Another webhook has this address.") }),
  WebhookEndpointLimitReached: () => show(visit, { url: visit.say(`Највише ${mostEndpoints} вебхукова; уклоните неки.`, `At most ${mostEndpoints} webhooks; remove one.`) })
}))

const add = Effect.fnUntraced(function*(visit: MemberVisit) {
  const content = decodeNewWebhookEndpoint(asked(visit), visit.environment)
  if (Result.isFailure(content)) return yield* show(visit, faultsOf(visit, content.failure.faults))
  return yield* confirmed(visit, addNow(visit, content.success), (faults) => show(visit, faults))
})

/** An owner adds an endpoint: asks for password or passkey, and shows the secret once. */
export const newEndpointRoutes = [memberRoute("GET", path, "credentials:write", (visit) => show(visit)), memberRoute("POST", path, "credentials:write", add)]
