import { checkCode, confirmAuthenticator, SecondFactors, SignInChecks, SignInPaused } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, field, form } from "../../html/forms.ts"
import { card, notice } from "../../html/parts.ts"
import { qrPicture } from "../../html/qrPicture.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf } from "../personAct.ts"
import { continueSession } from "../sign-in/openSession.ts"
import { checkCurrentPassword, currentPasswordField, pausedPage, withPasswordFaults } from "./currentPassword.ts"
import { passkeysCard } from "./passkeysCard.ts"
import { recoveryCard } from "./recoveryCodes.ts"

const path = "/account/second-factor"

const codeField = ({ say }: PersonVisit, fault: string | undefined): Html =>
  field({ name: "code", label: say("Код из апликације", "Code of your authenticator"), autocomplete: "one-time-code", inputmode: "numeric", required: true, fault })

const wrongCode = ({ say }: PersonVisit): Faults =>
  ({ code: say("Код није тачан. Сачекајте следећи и проверите сат телефона.", "The code is wrong. Wait for the next one, and check your phone's clock.") })

const enrolment = (visit: PersonVisit, secret: Redacted.Redacted<string>, address: string, faults: Faults): Html => {
  const { say } = visit
  return all(
    el("p", {}, say(
      "Отворите апликацију за кодове (нпр. Google Authenticator), снимите слику или упишите кључ, па унесите код који она покаже.",
      "Open your authenticator (Google Authenticator, for example), scan the picture or type the key, then enter the code it shows."
    )),
    qrPicture(address, say("QR код за апликацију", "QR code for the authenticator")),
    el("p", {}, say("Кључ: ", "Key: "), el("span", { class: "secret" }, Redacted.value(secret))),
    el("p", {}, say("Кључ се приказује само сада.", "The key is shown only now.")),
    form(
      visit,
      { action: path, submit: say("Укључи", "Turn on") },
      // The secret is only in the page of the person who enrols; it is stored when a code proves that the authenticator has it.
      el("input", { type: "hidden", name: "secret", value: Redacted.value(secret) }),
      codeField(visit, faults["code"]),
      currentPasswordField(visit, faults)
    )
  )
}

const takeAway = (visit: PersonVisit, faults: Faults): Html =>
  all(
    el("p", {}, visit.say("Апликација је подешена.", "The authenticator app is set up.")),
    visit.person.operator
      ? el("p", {}, visit.say("Оператерима је обавезна и за команду.", "Operators need it for the command as well."))
      : destructive(visit, {
        action: `${path}/off`,
        opens: visit.say("Искључи…", "Turn off…"),
        consequence: visit.say("Ко сазна вашу лозинку, моћи ће да се пријави без кода.", "Whoever learns your password can then sign in without a code."),
        submit: visit.say("Искључи", "Turn off"),
        isOpen: faults["code"] !== undefined
      }, codeField(visit, faults["code"]))
  )

const authenticatorCard = Effect.fnUntraced(function*(visit: PersonVisit, given: Redacted.Redacted<string> | null, faults: Faults) {
  const checks = yield* SignInChecks
  const secret = given ?? (yield* checks.newTotpSecret)
  const content = visit.person.hasAuthenticator ? takeAway(visit, faults) : enrolment(visit, secret, checks.totpAddress(secret, visit.person.email), faults)
  return card(visit.say("Апликација за кодове", "Authenticator app"), content)
})

const show = Effect.fnUntraced(function*(visit: PersonVisit, given: Redacted.Redacted<string> | null = null, faults: Faults = {}) {
  const { person, say } = visit
  const title = say("Други фактор", "Second factor")
  const demanded = person.operator && !person.hasSecondFactor
    ? notice("wait", el("p", {}, say("Оператери морају имати други фактор пре свега осталог.", "Operators must have a second factor before anything else.")))
    : null
  const content = [el("h1", {}, title), doneNotice(visit), demanded, yield* authenticatorCard(visit, given, faults), yield* passkeysCard(visit), yield* recoveryCard(visit)]
  return page(title, el("div", { class: "narrow" }, content), visit.form === null ? 200 : 422)
})

// A second factor is set only with the password, also the first one: a session that was left open is not enough to lock its owner out.
const turnOn = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { form: sent, person } = visit
  if (person.hasAuthenticator) return redirect(path)
  const secret = Redacted.make(sent?.text("secret") ?? "")
  const again = /^[A-Z2-7]{32}$/.test(Redacted.value(secret)) ? secret : null
  const confirm = Effect.gen(function*() {
    yield* checkCurrentPassword(visit)
    const isOn = yield* confirmAuthenticator({ person, secret, code: sent?.text("code") ?? "", from: visit.tryFrom(person.email), keep: visit.session.session.digest }).pipe(
      Effect.catchTag("SignInPaused", (paused) => Effect.succeed(paused))
    )
    if (isOn instanceof SignInPaused) return yield* pausedPage(visit, isOn, "code", (faults) => show(visit, again, faults))
    if (!isOn) return yield* show(visit, again, wrongCode(visit))
    return redirect("/account?done=second-factor-set", yield* continueSession(visit))
  })
  return yield* withPasswordFaults(visit, confirm, (faults) => show(visit, again, faults))
})

const turnOff = Effect.fnUntraced(function*(visit: PersonVisit) {
  if (visit.person.operator || !visit.person.hasAuthenticator) return redirect(path)
  yield* checkCode({ person: visit.person, code: visit.form?.text("code") ?? "", from: visit.tryFrom(visit.person.email), session: null })
  yield* (yield* SecondFactors).setAuthenticator(actOf(visit), visit.person.id, null, visit.session.session.digest)
  return redirect("/account?done=second-factor-off", yield* continueSession(visit))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () => show(visit, null, wrongCode(visit))),
    Effect.catchTag("SignInPaused", (paused) => pausedPage(visit, paused, "code", (faults) => show(visit, null, faults)))
  ))

/** Turning the authenticator app on and off; the list of passkeys. */
export const secondFactorRoutes = [
  personRoute("GET", path, (visit) => show(visit)),
  personRoute("POST", path, turnOn),
  personRoute("POST", `${path}/off`, turnOff)
]
