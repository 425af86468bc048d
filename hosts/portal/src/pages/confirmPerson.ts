import { checkPasskey, PasskeyChecks, SecondFactors, type SignInPaused, SignInRefused } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../html/el.ts"
import { type Faults, form } from "../html/forms.ts"
import { refusalNotice } from "../html/parts.ts"
import type { Reply } from "../http/Reply.ts"
import type { PersonVisit } from "../http/Visit.ts"
import { checkCurrentPassword, currentPasswordField, withPasswordFaults } from "./account/currentPassword.ts"
import { answeredQuestion, passkeyForm, passkeyScripts, siteOf } from "./passkeyForm.ts"

/** Whether this form is confirmed with a passkey: where the person has one and has not asked for the password. */
const byPasskey = (visit: PersonVisit): boolean =>
  visit.person.hasPasskey && siteOf(visit) !== null && (visit.form === null ? visit.query.get("with") !== "password" : visit.form.exact("question") !== "")

/** A form that a person confirms with the password or a passkey, and the scripts that its page needs. */
export const confirmedForm = Effect.fnUntraced(function*(
  visit: PersonVisit,
  given: { readonly action: string; readonly submit: string; readonly kind?: "main" | "danger" },
  faults: Faults,
  ...fields: ReadonlyArray<Html>
) {
  const site = siteOf(visit)
  if (site === null || !byPasskey(visit)) return { html: form(visit, given, ...fields, currentPasswordField(visit, faults)), scripts: [] }
  const question = yield* (yield* PasskeyChecks).askForUse(site, yield* (yield* SecondFactors).passkeysOf(visit.person.id))
  const html = all(
    refusalNotice(faults["current"]),
    yield* passkeyForm(visit, { ...given, use: "use", question }, ...fields),
    el("p", {}, el("a", { href: `${visit.path}?with=password` }, visit.say("Радије лозинком", "Use the password instead")))
  )
  return { html, scripts: passkeyScripts }
})

const check = Effect.fnUntraced(function*(visit: PersonVisit) {
  const site = siteOf(visit)
  if (site === null || !byPasskey(visit)) return yield* checkCurrentPassword(visit)
  const asked = yield* answeredQuestion(visit, "use")
  if (asked === null) return yield* new SignInRefused({})
  yield* checkPasskey({ person: visit.person, site, challenge: asked.challenge, answer: asked.answer })
})

/** Acts once the password or the passkey was right; else shows the form again, and why. */
export const confirmed = <E, R, E2, R2>(
  visit: PersonVisit,
  act: Effect.Effect<Reply, E | SignInRefused | SignInPaused, R>,
  show: (faults: Faults) => Effect.Effect<Reply, E2, R2>
) => {
  const refused = (faults: Faults) =>
    show(byPasskey(visit) && faults["current"] !== undefined ? { current: visit.say("Приступни кључ није прихваћен. Покушајте поново.", "The passkey was not accepted. Try again.") } : faults)
  return withPasswordFaults(visit, Effect.andThen(check(visit), act), refused)
}
