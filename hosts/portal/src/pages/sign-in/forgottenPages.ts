import { mayAskForReset, type PersonMail, readEmail, resetMinutes, sendReset, setByReset } from "@overa/domain"
import { digestOf, newToken } from "@overa/host-kit"
import { Effect, Redacted } from "effect"
import { el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { refusalNotice } from "../../html/parts.ts"
import { page, redirect, type Reply, slowedDown } from "../../http/Reply.ts"
import { openRoute } from "../../http/Route.ts"
import type { Visit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { PortalSettings } from "../../layers.ts"
import { newPasswordField, passwordSentence } from "../account/passwordPage.ts"
import { tokenField, tokenOf, tokenPage } from "../tokenPage.ts"
import { pausedSentence } from "./pausedSentence.ts"

const askPath = "/sign-in/forgotten"
const newPath = "/sign-in/new-password"

const narrow = (title: string, ...content: ReadonlyArray<Html>): Html => el("div", { class: "card narrow" }, el("h1", {}, title), ...content)

const askTitle = ({ say }: Visit): string => say("Заборављена лозинка", "Forgotten password")
const newTitle = ({ say }: Visit): string => say("Нова лозинка", "New password")

const askPage = (visit: Visit, faults: Faults = {}, refusal: string | null = null): Reply => {
  const { say } = visit
  const content = narrow(
    askTitle(visit),
    refusalNotice(refusal),
    faultSummary(visit, faults),
    form(
      visit,
      { action: askPath, submit: say("Пошаљи линк", "Send a link") },
      field({ name: "email", label: say("Е-пошта", "E-mail"), type: "email", autocomplete: "username", required: true, value: visit.form?.text("email") ?? "", fault: faults["email"] })
    )
  )
  return page(askTitle(visit), content, faultStatus(faults))
}

/** Without a mail server there is no such page: the operator gives a new password. */
const withMail = Effect.gen(function*() {
  if (!(yield* PortalSettings).mailConfigured) return yield* new NotFound({})
})

const resetMail = ({ origin, say }: Visit, recipient: string, token: string): PersonMail => ({
  recipient,
  subject: say("Нова лозинка", "New password"),
  text: [
    say("Неко је затражио нову лозинку за налог са овом адресом.", "Somebody has asked for a new password for the account with this address."),
    "",
    say(`Отворите овај линк; важи једном и ${resetMinutes} минута:`, `Open this link; it works once and for ${resetMinutes} minutes:`),
    `${origin}${newPath}#${token}`,
    "",
    say("Ако страница затражи код, упишите овај:", "If the page asks for a code, enter this one:"),
    token,
    "",
    say("Ако то нисте били ви, не радите ништа: лозинка остаје иста.", "If this was not you, do nothing: the password stays as it is.")
  ].join("\n")
})

const ask = Effect.fnUntraced(function*(visit: Visit) {
  yield* withMail
  const email = readEmail(visit.form?.text("email") ?? "")
  if (email === null) return askPage(visit, { email: visit.say("Унесите исправну адресу, нпр. ana@primer.rs.", "Enter an address, ana@primer.rs for example.") })
  yield* mayAskForReset(visit.tryFrom(email).address)
  const token = newToken()
  // Nobody waits for it: the answer and its time are the same for an address without an account.
  yield* Effect.forkDetach(sendReset({ tokenDigest: digestOf(token), mail: resetMail(visit, email, token) }).pipe(
    Effect.catchCause((cause) => Effect.logError("a link for a new password was not queued", { cause }))
  ))
  const { say } = visit
  return page(askTitle(visit), narrow(
    askTitle(visit),
    el("p", {}, say("Ако за ту адресу постоји налог, линк стиже за минут-два:", "If there is an account for that address, a link arrives in a minute or two:"), " ", el("strong", {}, email)),
    el("p", {}, say("Ако не стигне, проверите адресу и нежељену пошту, или се обратите оператеру.", "If none arrives, check the address and your spam folder, or contact the operator."))
  ))
}, (effect, visit) =>
  Effect.catchTag(effect, "SignInPaused", (paused) => Effect.succeed(slowedDown(askPage(visit, {}, pausedSentence(visit, paused)), paused.seconds))))

const overPage = (visit: Visit): Reply => {
  const title = visit.say("Линк не важи", "The link is over")
  return page(title, narrow(
    title,
    el("p", {}, visit.say(`Линк је искоришћен или старији од ${resetMinutes} минута.`, `It was used, or is older than ${resetMinutes} minutes.`), " ", el("a", { href: askPath }, visit.say("Затражите нови", "Ask for a new one")))
  ), 404)
}

const newPage = (visit: Visit, faults: Faults = {}): Reply =>
  page(newTitle(visit), narrow(
    newTitle(visit),
    faultSummary(visit, faults),
    el("p", {}, visit.say("Све пријаве ће бити завршене. Други фактор остаје.", "Every session will end. The second factor stays.")),
    form(visit, { action: `${newPath}/set`, submit: visit.say("Сачувај", "Save") }, tokenField(visit), newPasswordField(visit, "next", faults["next"]))
  ), faultStatus(faults))

const set = Effect.fnUntraced(function*(visit: Visit) {
  const person = yield* setByReset({ tokenDigest: digestOf(tokenOf(visit)), password: Redacted.make(visit.form?.exact("next") ?? "") })
  return person === null ? overPage(visit) : redirect("/sign-in?done=password-set", [{ name: "session", value: null }])
}, (effect, visit) => Effect.catchTag(effect, "PasswordRefused", ({ fault }) => Effect.succeed(newPage(visit, { next: passwordSentence(visit, fault) }))))

/** A forgotten password: a link by e-mail, then a new one. */
export const forgottenRoutes = [
  openRoute("GET", askPath, (visit) => Effect.map(withMail, () => askPage(visit))),
  openRoute("POST", askPath, ask),
  openRoute("GET", newPath, (visit) => Effect.succeed(tokenPage(visit, newTitle(visit), newPath))),
  openRoute("POST", newPath, (visit) => Effect.succeed(newPage(visit))),
  openRoute("POST", `${newPath}/set`, set)
]
