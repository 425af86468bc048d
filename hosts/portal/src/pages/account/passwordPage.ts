import { changeOwnPassword, type PasswordFault, passwordLimits } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit, Visit } from "../../http/Visit.ts"
import { continueSession } from "../sign-in/openSession.ts"
import { currentPasswordField, withPasswordFaults } from "./currentPassword.ts"

/** What is wrong with a new password, and what to do. */
export const passwordSentence = (visit: Visit, fault: PasswordFault): string => {
  const { say } = visit
  const sentences: Readonly<Record<PasswordFault, string>> = {
    TOO_SHORT: say(`Лозинка мора имати бар ${passwordLimits.shortest} знакова; неколико речи је добар избор.`, `A password needs at least ${passwordLimits.shortest} characters; a few words are a good choice.`),
    TOO_LONG: say(`Лозинка сме имати највише ${passwordLimits.longest} знакова.`, `A password may have at most ${passwordLimits.longest} characters.`),
    LIKE_EMAIL: say("Лозинка не сме садржати вашу е-пошту.", "The password must not contain your e-mail address."),
    LIKE_ORGANIZATION: say("Лозинка не сме садржати назив ваше организације, ни реч из њега.", "The password must not contain the name of your organization, nor a word of it."),
    TOO_COMMON: say("Ово је једна од најчешћих лозинки, и са цифрама и знаковима око ње. Изаберите неколико неповезаних речи.", "This is one of the most common passwords, digits and signs around it left out. Choose a few words that have nothing to do with each other."),
    SAME_AS_BEFORE: say("Ово је садашња лозинка. Изаберите другу.", "This is the current password. Choose another one."),
    TOO_SIMPLE: say("Ову лозинку би свако прво погађао. Изаберите неколико неповезаних речи.", "Everybody would guess this first. Choose a few words that have nothing to do with each other.")
  }
  return sentences[fault]
}

/** The field for a new password, with its rule. */
export const newPasswordField = (visit: Visit, name: string, fault: string | undefined) =>
  field({
    name,
    label: visit.say("Нова лозинка", "New password"),
    type: "password",
    autocomplete: "new-password",
    required: true,
    hint: visit.say(`Бар ${passwordLimits.shortest} знакова.`, `At least ${passwordLimits.shortest} characters.`),
    fault
  })

const show = (visit: PersonVisit, faults: Faults = {}): Reply => {
  const { say } = visit
  const title = say("Промена лозинке", "Change password")
  return page(
    title,
    el(
      "div",
      { class: "card narrow" },
      el("h1", {}, title),
      faultSummary(visit, faults),
      visit.person.passwordGiven
        ? notice("wait", el("p", {}, say("Ову лозинку је направио оператер. Поставите своју пре свега осталог.", "An operator made this password. Set your own before anything else.")))
        : null,
      el("p", {}, say("Све остале пријаве ће бити завршене.", "All your other sessions will end.")),
      form(
        visit,
        { action: "/account/password", submit: say("Промени", "Change") },
        currentPasswordField(visit, faults),
        newPasswordField(visit, "next", faults["next"])
      )
    ),
    faultStatus(faults)
  )
}

const change = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person } = visit
  yield* changeOwnPassword({
    person,
    current: Redacted.make(visit.form?.exact("current") ?? ""),
    next: Redacted.make(visit.form?.exact("next") ?? ""),
    from: visit.tryFrom(person.email),
    keep: visit.session.session.digest
  })
  return redirect("/account?done=password-changed", yield* continueSession(visit))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("PasswordRefused", ({ fault }) => Effect.succeed(show(visit, { next: passwordSentence(visit, fault) }))),
    (changed) => withPasswordFaults(visit, changed, (faults) => Effect.succeed(show(visit, faults)))
  ))

/** Changing one's own password. */
export const passwordRoutes = [
  personRoute("GET", "/account/password", (visit) => Effect.succeed(show(visit))),
  personRoute("POST", "/account/password", change)
]
