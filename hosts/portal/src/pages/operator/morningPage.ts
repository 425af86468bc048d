import {
  certificateWarningDays, daysUntil, type ElementEntry, ElementOversight, Environment, Installation, type InstallationFigures, InstallationOversight, OperationOversight,
  OperationStore, type OrganizationEntry, TenancyOversight, totalAmount, type UnresolvedEntry
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import { amount, day } from "../../language/formats.ts"
import type { Say } from "../../language/Language.ts"
import { doneNotice } from "../doneNotice.ts"
import { statusName } from "../receipts/receiptWords.ts"
import { age, mostRows, type Names, shop } from "./morningParts.ts"
import { isUnanswered, vpfrCard } from "./vpfrCard.ts"

type State = "good" | "wait" | "bad" | "plain"

const stateWords = (say: Say, state: State): string =>
  ({ good: say("у реду", "fine"), wait: say("погледајте", "look at it"), bad: say("одмах", "at once"), plain: "" })[state]

const tile = (say: Say, given: { readonly name: string; readonly value: number | string; readonly href: string; readonly state: State; readonly more?: string }): Html =>
  el(
    "div",
    { class: "tile" },
    el("strong", {}, String(given.value)),
    el("a", { href: given.href }, given.name),
    el("p", { class: "hint" }, given.state === "plain" ? null : badge(given.state, stateWords(say, given.state)), given.more === undefined ? null : ` ${given.more}`)
  )

const queues = (say: Say, { atRest, deliveries, searchesDue }: InstallationFigures, now: DateTime.Utc): ReadonlyArray<Html> => {
  const failed = deliveries.failed.reduce((sum, { count }) => sum + count, 0)
  return [
    tile(say, { name: say("Е-пошта која чека", "Mails waiting"), value: deliveries.queued, href: "/operator/attention", state: deliveries.waitingSince === null ? "good" : "wait", ...(deliveries.waitingSince === null ? {} : { more: age(say, deliveries.waitingSince, now) }) }),
    tile(say, { name: say("Е-пошта за 24 сата", "Mails in 24 hours"), value: deliveries.sent, href: "/operator/attention", state: failed === 0 ? "good" : "wait", more: `${say("неуспелих", "failed")}: ${failed}` }),
    tile(say, { name: say("Претраге које чекају", "Searches due"), value: searchesDue, href: "/operator/unknown", state: "plain" }),
    tile(say, { name: say("Документи које нико не шаље", "Documents that nobody sends"), value: atRest, href: "/operator/unknown", state: atRest === 0 ? "good" : "bad" })
  ]
}

interface Waiting {
  readonly toActivate: number
  /** Elements whose last attempt the V-PFR did not answer. */
  readonly unanswered: number
}

const tiles = (say: Say, figures: InstallationFigures, { toActivate, unanswered }: Waiting, now: DateTime.Utc): Html => {
  const unresolved = figures.unresolved.reduce((sum, it) => sum + it.count, 0)
  const ending = figures.certificates.reduce((sum, it) => sum + it.endingSoon, 0)
  return el(
    "div",
    { class: "tiles" },
    tile(say, { name: say("Непознати исходи", "Unknown outcomes"), value: unresolved, href: "/operator/unknown", state: unresolved === 0 ? "good" : "bad" }),
    tile(say, { name: say("Елементи без одговора В-ПФР-а", "Elements without an answer of the V-PFR"), value: unanswered, href: "#vpfr", state: unanswered === 0 ? "good" : "bad" }),
    tile(say, { name: say("За пажњу", "Needs attention"), value: figures.openAttention, href: "/operator/attention", state: figures.openAttention === 0 ? "good" : "wait", more: figures.counterGaps === 0 ? "" : `${say("прекида бројача", "counter gaps")}: ${figures.counterGaps}` }),
    tile(say, { name: say("Елементи за активирање", "Elements to activate"), value: toActivate, href: "/operator/elements", state: toActivate === 0 ? "good" : "wait" }),
    tile(say, { name: say("Елементи који истичу", "Elements ending soon"), value: ending, href: "/operator/elements", state: ending === 0 ? "good" : "wait" }),
    queues(say, figures, now),
    tile(say, { name: say("Резервни елементи за тест", "Spare sandbox elements"), value: figures.poolElements, href: "/operator/installation", state: figures.poolElements === 0 ? "wait" : "good" })
  )
}

const nextStep = (say: Say, { nextCheckAt, status }: UnresolvedEntry): string => {
  if (status === "SUBMITTING") return say("Шаље се; сачекајте.", "Being sent; wait.")
  return nextCheckAt === null ? say("Погледајте доказе и одлучите.", "Look at the evidence and decide.") : say("Тражимо код В-ПФР-а; отворите ако траје.", "Being searched at the V-PFR; open it if it lasts.")
}

/** The amount alone: everything else of an organization's document is read after a reason was given (Decisions §13). */
const amountOf = Effect.fnUntraced(function*({ environment, id, organizationId }: UnresolvedEntry) {
  const found = yield* (yield* OperationStore).get({ organizationId, environment }, id)
  return Option.match(found, { onNone: () => "–", onSome: ({ content }) => `${amount(totalAmount(content.items))} RSD` })
})

const unknownCard = Effect.fnUntraced(function*({ say }: PersonVisit, names: Names, now: DateTime.Utc) {
  const entries = yield* (yield* OperationOversight).unresolved(mostRows)
  const amounts = yield* Effect.forEach(entries, amountOf, { concurrency: 4 })
  const title = say("Непознати исходи, најстарији први", "Unknown outcomes, the oldest first")
  return card(title, table(
    [say("Продавница", "Shop"), say("Окружење", "Environment"), say("Износ", "Amount"), say("Старост", "Age"), say("Стање", "Status"), say("Следећи корак", "Next step")],
    entries.map((it, at) => [
      shop(names, it.organizationId), environmentWords(say, it.environment), amounts[at] ?? "–", age(say, it.createdAt, now), statusName(say, it.status),
      el("a", { href: `/operator/unknown/${it.id}` }, nextStep(say, it))
    ]),
    { caption: title, empty: say("Сваки исход је познат.", "There is no unknown outcome."), numbers: [2, 3] }
  ))
})

const longestWarning = Math.max(...certificateWarningDays)

const elementsCard = ({ say }: PersonVisit, waiting: ReadonlyArray<ElementEntry>, entries: ReadonlyArray<ElementEntry>, names: Names, now: DateTime.Utc): Html => {
  const ending = entries.filter(({ element }) => element.status === "ACTIVE" && daysUntil(element.validTo, now) <= longestWarning)
  const title = say("Елементи који траже нешто", "Elements that need something")
  const row = (step: string, href: string, { element, organizationId }: ElementEntry): ReadonlyArray<Html> => [
    shop(names, organizationId), element.jid, environmentWords(say, element.environment), day(element.validTo), String(daysUntil(element.validTo, now)), el("a", { href }, step)
  ]
  return card(title, table(
    [say("Продавница", "Shop"), "JID", say("Окружење", "Environment"), say("Важи до", "Valid until"), say("Дана", "Days left"), say("Следећи корак", "Next step")],
    [
      ...waiting.map((it) => row(say("Активирајте", "Activate it"), `/operator/organizations/${it.organizationId}/elements/${it.element.id}/activate`, it)),
      ...ending.map((it) => row(say("Затражите нови", "Ask for a new one"), `/operator/organizations/${it.organizationId}`, it))
    ].slice(0, mostRows),
    { caption: title, empty: say("Ниједан елемент не чека активирање и ниједан не истиче ускоро.", "No element waits for activation and none ends soon."), numbers: [4] }
  ))
}

const trafficOf = Effect.fnUntraced(function*({ say }: PersonVisit, environment: Environment) {
  const { adapterConfigured, trafficEnabled } = yield* (yield* Installation).settings(environment)
  const state = trafficEnabled && adapterConfigured ? badge("good", say("ради", "on")) : badge(environment === "production" ? "bad" : "wait", trafficEnabled ? say("В-ПФР није подешен", "the V-PFR is not configured") : say("искључен", "off"))
  return el("li", {}, environmentWords(say, environment), ": ", state)
})

const namesOf = (organizations: ReadonlyArray<OrganizationEntry>): Names => new Map(organizations.map(({ id, name }) => [id, name]))

/** The page that an operator looks at every morning: what waits, for whom, since when, and the next step. */
export const morningPage = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const oversight = yield* InstallationOversight
  const now = yield* DateTime.now
  const [figures, pending, entries, organizations, answers, traffic] = yield* Effect.all([
    oversight.figures, oversight.pendingMigrations, (yield* ElementOversight).elements(null), (yield* TenancyOversight).organizations,
    (yield* ElementOversight).vpfrAnswers,
    Effect.forEach(Environment.literals, (environment) => trafficOf(visit, environment))
  ], { concurrency: "unbounded" })
  const names = namesOf(organizations)
  const waiting = entries.filter(({ element }) => element.status === "UPLOADED")
  const title = say("Инсталација", "Installation")
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    pending.length === 0 ? null : el("p", {}, badge("bad", say("База чека надоградњу", "The schema waits for an upgrade")), ` ${pending.join(", ")}`),
    tiles(say, figures, { toActivate: waiting.length, unanswered: answers.filter(isUnanswered).length }, now),
    yield* unknownCard(visit, names, now),
    vpfrCard(say, answers, names, now),
    elementsCard(visit, waiting, entries, names, now),
    card(say("Саобраћај", "Traffic"), el("ul", { class: "plain" }, traffic), el("p", {}, el("a", { href: "/operator/installation" }, say("Поставке", "Settings"))))
  ))
})
