import { AttentionOversight, daysUntil, ElementOversight, Environment, Installation, type OpenAttention, RestoreActs, TenancyOversight } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { attentionWords } from "./attentionWords.ts"
import { activity } from "./activityPage.ts"
import { keyCards } from "./keyCards.ts"
import { morningPage } from "./morningPage.ts"
import { isOpened } from "./openedFor.ts"
import { elementStateWords } from "./stateWords.ts"

const aboutOf = ({ say }: PersonVisit, { id, operationId, organizationId, personId }: OpenAttention, names: ReadonlyMap<string, string>): Html => {
  if (personId !== null) return el("a", { href: `/operator/attention/${id}` }, say("особа", "person"))
  const name = names.get(organizationId)
  if (operationId !== null) return [name ?? "–", " · ", el("a", { href: `/operator/unknown/${operationId}` }, say("документ", "document"))]
  return name === undefined ? say("инсталација", "installation") : el("a", { href: `/operator/organizations/${organizationId}` }, name)
}

/** What happened may name documents, amounts and people: it stands on the item's page, behind the reason (Decisions §13). */
const whatOf = (visit: PersonVisit, { detail, id, organizationId, personId }: OpenAttention, names: ReadonlyMap<string, string>): Html =>
  (personId === null && !names.has(organizationId)) || isOpened(visit, { id: organizationId })
    ? detail
    : el("a", { href: `/operator/attention/${id}` }, visit.say("Отворите са разлогом", "Open with a reason"))

const attention = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const items = yield* (yield* AttentionOversight).openAttention(null, 500)
  const names = new Map<string, string>((yield* (yield* TenancyOversight).organizations).map(({ id, name }) => [id, name]))
  const title = say("За пажњу", "Needs attention")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    table(
      [say("Од", "Since"), say("Врста", "Kind"), say("Шта", "What"), say("О чему", "About"), say("Решено", "Dealt with")],
      items.map((it) => [
        moment(it.raisedAt),
        attentionWords(say, it.kind),
        whatOf(visit, it, names),
        aboutOf(visit, it, names),
        el("a", { href: `/operator/attention/${it.id}` }, say("Означи", "Mark"))
      ]),
      { caption: title, empty: say("Ништа не чека.", "Nothing waits.") }
    )
  )
  return page(title, content)
})

const elements = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const entries = (yield* (yield* ElementOversight).elements(null)).filter(({ element }) => element.status !== "REPLACED")
  const now = yield* DateTime.now
  const title = say("Безбедносни елементи", "Security elements")
  const content = all(
    el("h1", {}, title),
    table(
      ["JID", say("Окружење", "Environment"), say("Стање", "State"), say("Важи до", "Valid until"), say("Дана", "Days left"), say("Организација", "Organization")],
      entries.map(({ element, organizationId }) => [
        element.jid,
        element.environment,
        say(...elementStateWords[element.status]),
        moment(element.validTo),
        String(daysUntil(element.validTo, now)),
        el("a", { href: `/operator/organizations/${organizationId}` }, say("отвори", "open"))
      ]),
      { caption: title, empty: say("Нема елемената.", "There are no elements.") }
    )
  )
  return page(title, content)
})

const environmentCard = Effect.fnUntraced(function*(visit: PersonVisit, environment: Environment) {
  const { say } = visit
  const settings = yield* (yield* Installation).settings(environment)
  return card(
    environmentWords(say, environment),
    facts([
      [say("Саобраћај", "Traffic"), settings.trafficEnabled ? badge("good", say("Укључен", "On")) : badge("bad", say("Искључен", "Off"))],
      ["V-PFR", settings.adapterConfigured ? say("подешен", "configured") : say("није подешен", "not configured")],
      [say("ЕСИР број", "ESIR number"), settings.esirNumber || "–"],
      [say("Категорије ПДВ-а", "VAT categories"), [...settings.vatCategories].join(", ")]
    ]),
    el("p", {}, el("a", { class: "button", href: `/operator/environments/${environment}` }, say("Измени", "Change")))
  )
})

/** Whether a restore of the database is declared. */
const restoreCard = Effect.fnUntraced(function*({ say }: PersonVisit) {
  const since = yield* (yield* RestoreActs).since
  return card(
    say("Враћање базе", "Restore"),
    since === null
      ? el("p", {}, say("Није објављено. Ако је база враћена на раније стање, прво то објавите.", "None is declared. If the database was restored to an earlier point, declare it first."))
      : el("p", {}, badge("bad", say("Ништа се не издаје", "Nothing is issued")), " ", say("Може бити заборављено све од ", "Everything may be forgotten since "), moment(since)),
    el("p", {}, since === null
      ? el("a", { class: "button", href: "/operator/restore/begin" }, say("Објави", "Declare"))
      : el("a", { class: "button", href: "/operator/restore/end" }, say("Заврши", "End it")))
  )
})

const installation = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const pool = yield* (yield* ElementOversight).pool
  const title = say("Поставке", "Settings")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    yield* Effect.forEach(Environment.literals, (environment) => environmentCard(visit, environment)),
    card(
      say("Резервни елементи за тест", "Spare sandbox elements"),
      table(["JID", say("Важи до", "Valid until")], pool.map((it) => [it.jid, moment(it.validTo)]), { caption: say("Резерва", "Pool"), empty: say("Резерва је празна: нови тест простори не добијају елемент.", "The pool is empty: new sandbox premises get no element.") }),
      el("p", {}, el("a", { class: "button", href: "/operator/installation/pool" }, say("Додај", "Add")))
    ),
    yield* keyCards(visit),
    yield* restoreCard(visit),
    card(
      say("Људи", "People"),
      el("div", { class: "actions" }, el("a", { class: "button", href: "/operator/people/add" }, say("Додај", "Add")), el("a", { class: "button", href: "/operator/people/password" }, say("Нова лозинка", "New password")), el("a", { class: "button", href: "/operator/people/second-factor" }, say("Изгубљен други фактор", "Lost second factor")), el("a", { class: "button", href: "/operator/people/erase" }, say("Обриши особу", "Erase a person")))
    )
  )
  return page(title, content)
})

/** The operator's first page, and the installation's settings. */
export const overviewRoutes = [
  operatorRoute("GET", "/operator", morningPage),
  operatorRoute("GET", "/operator/attention", attention),
  operatorRoute("GET", "/operator/elements", elements),
  operatorRoute("GET", "/operator/installation", installation),
  operatorRoute("GET", "/operator/activity", activity)
]
