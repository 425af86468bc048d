import { checkCode, confirmSecondFactor, People, SignInChecks } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { qrPicture } from "../../html/qrPicture.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { openSession } from "../sign-in/openSession.ts"

const path = "/account/second-factor"

const enrolment = (visit: PersonVisit, secret: Redacted.Redacted<string>, address: string): Html => {
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
      field({
        name: "code",
        label: say("Код из апликације", "Code of your authenticator"),
        autocomplete: "one-time-code",
        inputmode: "numeric",
        required: true,
        fault: visit.form === null ? undefined : say("Код није тачан. Сачекајте следећи и проверите сат телефона.", "The code is wrong. Wait for the next one, and check your phone's clock.")
      })
    )
  )
}

const takeAway = (visit: PersonVisit): Html =>
  all(
    el("p", {}, visit.say("Други фактор је укључен.", "The second factor is on.")),
    visit.person.operator
      ? el("p", {}, visit.say("Оператерима је обавезан.", "Operators must have one."))
      : form(
        visit,
        { action: `${path}/off`, submit: visit.say("Искључи", "Turn off"), kind: "danger" },
        field({ name: "code", label: visit.say("Код из апликације", "Code of your authenticator"), autocomplete: "one-time-code", inputmode: "numeric", required: true })
      )
  )

const show = Effect.fnUntraced(function*(visit: PersonVisit, given: Redacted.Redacted<string> | null = null) {
  const { person, say } = visit
  const title = say("Други фактор", "Second factor")
  const checks = yield* SignInChecks
  const secret = given ?? (yield* checks.newTotpSecret)
  const content = person.hasSecondFactor ? takeAway(visit) : enrolment(visit, secret, checks.totpAddress(secret, person.email))
  const demanded = person.operator && !person.hasSecondFactor
    ? notice("wait", el("p", {}, say("Оператери морају имати други фактор пре свега осталог.", "Operators must have a second factor before anything else.")))
    : null
  return page(title, el("div", { class: "card narrow" }, el("h1", {}, title), demanded, content), visit.form === null ? 200 : 422)
})

const turnOn = Effect.fnUntraced(function*(visit: PersonVisit) {
  // To replace a second factor, the old one must be turned off first, which requires its code: nobody can replace it in a session that was left open.
  if (visit.person.hasSecondFactor) return redirect(path)
  const secret = Redacted.make(visit.form?.text("secret") ?? "")
  const isOn = yield* confirmSecondFactor({ person: visit.person, secret, code: visit.form?.text("code") ?? "", keep: visit.session.session.digest })
  if (!isOn) return yield* show(visit, /^[A-Z2-7]{32}$/.test(Redacted.value(secret)) ? secret : null)
  return redirect("/account?done=second-factor-set", [yield* openSession(visit, visit.person, "COMPLETE")])
})

const turnOff = Effect.fnUntraced(function*(visit: PersonVisit) {
  if (visit.person.operator || !visit.person.hasSecondFactor) return redirect(path)
  yield* checkCode({ person: visit.person, code: visit.form?.text("code") ?? "", from: visit.tryFrom(visit.person.email) })
  const act = { actor: visit.actor, reason: "in the portal" }
  yield* (yield* People).setSecondFactor(act, visit.person.id, null, visit.session.session.digest)
  return redirect("/account?done=second-factor-off", [yield* openSession(visit, visit.person, "COMPLETE")])
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () => show(visit)),
    Effect.catchTag("SignInPaused", () => show(visit))
  ))

/** Turning the second factor on and off. */
export const secondFactorRoutes = [
  personRoute("GET", path, (visit) => show(visit)),
  personRoute("POST", path, turnOn),
  personRoute("POST", `${path}/off`, turnOff)
]
