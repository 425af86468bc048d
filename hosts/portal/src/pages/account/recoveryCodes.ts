import { groupedRecoveryCode, makeRecoveryCodes, RecoveryCodes } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, form } from "../../html/forms.ts"
import { card, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { checkCurrentPassword, currentPasswordField, withPasswordFaults } from "./currentPassword.ts"

const path = "/account/second-factor/recovery"

const titleOf = ({ say }: PersonVisit): string => say("Резервни кодови", "Recovery codes")

/** How many codes are left, and the way to new ones; null without a second factor, which they stand in for. */
export const recoveryCard = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  if (!person.hasSecondFactor) return null
  const left = yield* (yield* RecoveryCodes).left(person.id)
  return card(
    titleOf(visit),
    el("p", {}, say("Кад изгубите други фактор, код га једном замењује.", "When you lose your second factor, a code replaces it once.")),
    left === 0 ? notice("wait", el("p", {}, say("Немате ниједан код.", "You have no code."))) : el("p", {}, say("Преостало кодова: ", "Codes left: "), el("strong", {}, String(left))),
    el("a", { class: "button", href: path }, say("Направи нове кодове", "Make new codes"))
  )
})

const ask = (visit: PersonVisit, faults: Faults = {}) => {
  const { person, say } = visit
  const content = person.hasSecondFactor ? el(
    "div",
    { class: "card" },
    faultSummary(visit, faults),
    el("p", {}, say("Нови кодови се приказују само једном; ранији престају да важе.", "New codes are shown only once; earlier ones end.")),
    form(visit, { action: path, submit: say("Направи нове кодове", "Make new codes") }, currentPasswordField(visit, faults))
  ) : notice("wait", el("p", {}, say("Прво укључите други фактор: кодови га замењују.", "Turn on a second factor first: the codes replace it."), " ", el("a", { href: "/account/second-factor" }, say("Други фактор", "Second factor"))))
  return Effect.succeed(page(titleOf(visit), el("div", { class: "narrow" }, el("h1", {}, titleOf(visit)), content), faultStatus(faults)))
}

const make = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  if (!person.hasSecondFactor) return redirect("/account/second-factor")
  const made = Effect.gen(function*() {
    yield* checkCurrentPassword(visit)
    const codes = yield* makeRecoveryCodes(person)
    const content = el(
      "div",
      { class: "card" },
      el("p", {}, say("Одштампајте их или сачувајте тамо где не држите телефон. Сваки важи једном; више се не приказују.", "Print them, or keep them where your phone is not. Each works once; they are not shown again.")),
      el("ol", { class: "secret" }, ...codes.map((code) => el("li", {}, groupedRecoveryCode(Redacted.value(code))))),
      el("p", {}, el("a", { class: "button", href: "/account/second-factor" }, say("Сачувао сам их", "I have kept them")))
    )
    return page(titleOf(visit), el("div", { class: "narrow" }, el("h1", {}, titleOf(visit)), content))
  })
  return yield* withPasswordFaults(visit, made, (faults) => ask(visit, faults))
})

/** Making recovery codes, with the password. */
export const recoveryCodeRoutes = [personRoute("GET", path, (visit) => ask(visit)), personRoute("POST", path, make)]
