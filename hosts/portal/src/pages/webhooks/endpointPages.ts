import {
  mostResent, readWebhookAttempts, replaceWebhookEndpoint, resendWebhookEvents, testWebhookEndpoint, type WebhookAttempt, type WebhookEndpoint, type WebhookStatus
} from "@overa/domain"
import { Effect } from "effect"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { card, facts, notice, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf, isFirstSending, noteAsked } from "../personAct.ts"
import { changeRoutes } from "./changePages.ts"
import { namedEndpoint } from "./namedEndpoint.ts"
import { secretRoutes } from "./secretPages.ts"
import { attemptWords, stateBadge, troubleWords } from "./webhookWords.ts"

/** The attempts of one page. */
const latest = 100

const hidden = (name: string, value: string): Html => el("input", { type: "hidden", name, value })

const resendOne = (visit: MemberVisit, { id }: WebhookEndpoint, sequence: number): Html =>
  form(
    visit,
    { action: `/webhooks/${id}/resend`, submit: visit.say("Поново", "Again"), kind: "quiet", label: visit.say(`Пошаљи поново ${sequence}`, `Send ${sequence} again`) },
    hidden("from", String(sequence)),
    hidden("to", String(sequence))
  )

const attemptRow = (visit: MemberVisit, endpoint: WebhookEndpoint, attempt: WebhookAttempt): ReadonlyArray<Html> => [
  moment(attempt.at),
  attempt.sequence === null ? visit.say("проба", "test") : String(attempt.sequence),
  el("span", { class: "secret" }, attempt.eventId),
  attemptWords(visit.say, attempt),
  attempt.answer,
  `${attempt.millis} ms`,
  attempt.sequence === null || !visit.may("credentials:write") ? "" : resendOne(visit, endpoint, attempt.sequence)
]

const statusForm = (visit: MemberVisit, { id }: WebhookEndpoint, status: WebhookStatus, submit: string): Html =>
  form(visit, { action: `/webhooks/${id}/status`, submit, kind: "quiet" }, hidden("status", status))

const acts = (visit: MemberVisit, endpoint: WebhookEndpoint): Html => {
  const { say } = visit
  return card(
    say("Радње", "Acts"),
    form(visit, { action: `/webhooks/${endpoint.id}/test`, submit: say("Пошаљи пробну поруку", "Send a test message"), kind: "quiet" }),
    el("p", {}, el("a", { class: "button", href: `/webhooks/${endpoint.id}/change` }, say("Измени адресу или догађаје", "Change address or events"))),
    el("p", {}, el("a", { class: "button", href: `/webhooks/${endpoint.id}/secret` }, say("Нова тајна", "New secret"))),
    endpoint.status === "ACTIVE"
      ? statusForm(visit, endpoint, "PAUSED", say("Заустави слање", "Pause"))
      : statusForm(visit, endpoint, "ACTIVE", say("Настави слање", "Resume")),
    destructive(
      visit,
      {
        action: `/webhooks/${endpoint.id}/status`,
        opens: say("Уклони…", "Remove…"),
        consequence: say("На ову адресу се више ништа не шаље, ни оно што чека. Не може се вратити.", "Nothing is sent to this address any more, not even what waits. It cannot be undone."),
        submit: say("Уклони", "Remove")
      },
      hidden("status", "REMOVED")
    )
  )
}

const resendCard = (visit: MemberVisit, { id, sequence }: WebhookEndpoint, faults: Faults): Html => {
  const { say } = visit
  const number = (name: "from" | "to", label: string) =>
    field({ name, label, type: "text", inputmode: "numeric", autocomplete: "off", required: true, value: visit.form?.text(name) ?? "", fault: faults[name] })
  return card(
    say("Пошаљи поново", "Send again"),
    el("p", {}, say(`Догађаји имају бројеве, без прекида; последњи у реду за ову адресу је ${sequence}.`, `Events have numbers without gaps; the last one queued for this address is ${sequence}.`)),
    form(visit, { action: `/webhooks/${id}/resend`, submit: say("Пошаљи поново", "Send again"), kind: "quiet" }, number("from", say("Од броја", "From number")), number("to", say("До броја", "To number")))
  )
}

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const endpoint = yield* namedEndpoint(visit)
  const attempts = yield* readWebhookAttempts(visit.tenant, endpoint.id, latest)
  const trouble = troubleWords(say, endpoint)
  const title = say("Вебхук", "Webhook")
  const heads = [say("Када", "When"), say("Број", "Number"), say("Догађај", "Event"), say("Исход", "Outcome"), say("Одговор", "Answer"), say("Трајање", "Took"), ""]
  const caption = say("Покушаји", "Attempts")
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    faultSummary(visit, faults),
    trouble === null ? null : notice(endpoint.status === "PAUSED" ? "bad" : "wait", el("p", {}, trouble)),
    facts([
      [say("Адреса", "Address"), el("span", { class: "secret" }, endpoint.url)],
      [say("Опис", "Description"), endpoint.description ?? ""],
      [say("Стање", "State"), stateBadge(say, endpoint)],
      [say("Догађаји", "Events"), endpoint.eventTypes === null ? say("сви", "all") : endpoint.eventTypes.join(", ")],
      [say("Потпис", "Signature"), endpoint.signature]
    ]),
    visit.may("credentials:write") ? all(acts(visit, endpoint), resendCard(visit, endpoint, faults)) : null,
    el("h2", {}, caption),
    el("p", { class: "hint" }, say("Најновији први, најдуже тридесет дана.", "The newest first, for thirty days at most.")),
    table(heads, attempts.map((attempt) => attemptRow(visit, endpoint, attempt)), { caption, empty: say("Још ништа није послато.", "Nothing has been sent yet."), numbers: [1, 5] })
  ), faultStatus(faults))
})

const test = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { id } = yield* namedEndpoint(visit)
  if (!(yield* isFirstSending(visit))) return redirect(`/webhooks/${id}?done=already`)
  yield* noteAsked(visit, "test message of a webhook asked for", id, {})
  yield* testWebhookEndpoint(visit.tenant, id)
  return redirect(`/webhooks/${id}?done=webhook-tested`)
}, Effect.catchTag("WebhookEndpointNotFound", () => new NotFound({})))

const numberOf = (text: string): number | null => /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

const resend = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { id } = yield* namedEndpoint(visit)
  const [from, to] = [numberOf(visit.form?.text("from") ?? ""), numberOf(visit.form?.text("to") ?? "")]
  const words = visit.say("Упишите број догађаја.", "Enter the number of an event.")
  if (from === null || to === null) return yield* show(visit, { ...(from === null ? { from: words } : {}), ...(to === null ? { to: words } : {}) })
  if (to < from || to - from >= mostResent) return yield* show(visit, { to: visit.say(`Од почетног до највише ${mostResent} догађаја.`, `From the first number on, at most ${mostResent} events.`) })
  if (!(yield* isFirstSending(visit))) return redirect(`/webhooks/${id}?done=already`)
  yield* noteAsked(visit, "webhook events asked for again", id, { from, to })
  yield* resendWebhookEvents(visit.tenant, id, { from, to })
  return redirect(`/webhooks/${id}?done=webhook-resent`)
}, Effect.catchTag("WebhookEndpointNotFound", () => new NotFound({})))

const doneWords: Readonly<Record<WebhookStatus, string>> = { ACTIVE: "resumed", PAUSED: "paused", REMOVED: "removed" }

const isStatus = (text: string): text is WebhookStatus => Object.hasOwn(doneWords, text)

const changeStatus = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { description, eventTypes, id, url } = yield* namedEndpoint(visit)
  const status = visit.form?.text("status") ?? ""
  if (!isStatus(status)) return yield* new NotFound({})
  yield* replaceWebhookEndpoint(actOf(visit), visit.tenant, id, { url, description, eventTypes, status })
  return redirect(`${status === "REMOVED" ? "/webhooks" : `/webhooks/${id}`}?done=webhook-${doneWords[status]}`)
}, Effect.catchTags({ WebhookEndpointNotFound: () => new NotFound({}), WebhookEndpointAlreadyExists: () => new NotFound({}) }))

/** One endpoint: whether it works, its attempts, and what its owner does with it. */
export const endpointRoutes = [
  ...secretRoutes,
  ...changeRoutes,
  memberRoute("GET", "/webhooks/:endpoint", "setup:read", (visit) => show(visit)),
  memberRoute("POST", "/webhooks/:endpoint/test", "credentials:write", test),
  memberRoute("POST", "/webhooks/:endpoint/resend", "credentials:write", resend),
  memberRoute("POST", "/webhooks/:endpoint/status", "credentials:write", changeStatus)
]
