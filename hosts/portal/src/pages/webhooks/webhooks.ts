import { type WebhookEndpoint, WebhookStore } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import type { PageFolder } from "../PageFolder.ts"
import { endpointRoutes } from "./endpointPages.ts"
import { newEndpointRoutes } from "./newEndpointPages.ts"
import { stateBadge, troubleWords } from "./webhookWords.ts"

const row = ({ say }: MemberVisit, endpoint: WebhookEndpoint): ReadonlyArray<Html> => {
  const trouble = troubleWords(say, endpoint)
  return [
    el("a", { href: `/webhooks/${endpoint.id}` }, endpoint.url),
    endpoint.description ?? "",
    endpoint.eventTypes === null ? say("сви", "all") : endpoint.eventTypes.join(", "),
    [stateBadge(say, endpoint), trouble === null ? null : el("p", { class: "hint" }, trouble)],
    moment(endpoint.createdAt)
  ]
}

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const endpoints = yield* (yield* WebhookStore).list(visit.tenant)
  const title = say("Вебхукови", "Webhooks")
  const heads = [say("Адреса", "Address"), say("Опис", "Description"), say("Догађаји", "Events"), say("Стање", "State"), say("Додат", "Added")]
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", {}, say(
      "На ове адресе шаљемо догађаје: рачун је издат, исход је нађен, рефундација је завршена. Ништа се не губи док адреса не ради.",
      "We send events to these addresses: a receipt was issued, an outcome was found, a refund is complete. Nothing is lost while an address does not work."
    )),
    visit.may("credentials:write")
      ? el("p", {}, el("a", { class: "button", href: "/webhooks/new" }, say("Нови вебхук", "New webhook")))
      : el("p", { class: "hint" }, say("Додаје их и мења власник организације.", "An Owner of the organization adds and changes them.")),
    table(heads, endpoints.map((endpoint) => row(visit, endpoint)), { caption: title, empty: say("Још нема вебхукова.", "There are no webhooks yet.") })
  ))
})

/** The addresses that events are sent to, and what became of the messages. */
export const webhooks: PageFolder = {
  navigation: [{ path: "/webhooks", words: ["Вебхукови", "Webhooks"], shownTo: "setup:read" }],
  routes: [memberRoute("GET", "/webhooks", "setup:read", show), ...newEndpointRoutes, ...endpointRoutes]
}
