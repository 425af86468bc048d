import { SignInPaused, SignInRefused } from "@overa/domain"
import { Effect } from "effect"
import type { Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import type { Visit } from "../../http/Visit.ts"

/** The field in which a person proves who sits before an open session. */
export const currentPasswordField = (visit: Visit, faults: Faults): Html =>
  field({
    name: "current",
    label: visit.say("Садашња лозинка", "Current password"),
    type: "password",
    autocomplete: "current-password",
    required: true,
    fault: faults["current"]
  })

/** What is wrong with the password, beside its field. */
export const withPasswordFaults = <A, E, R, E2, R2>(
  visit: Visit,
  act: Effect.Effect<A, E | SignInRefused | SignInPaused, R>,
  show: (faults: Faults) => Effect.Effect<A, E2, R2>
) =>
  act.pipe(
    Effect.catchIf((error) => error instanceof SignInRefused, () => show({ current: visit.say("Садашња лозинка није тачна.", "The current password is wrong.") })),
    Effect.catchIf((error) => error instanceof SignInPaused, ({ seconds }) => show({ current: visit.say(`Превише покушаја; сачекајте ${seconds} с.`, `Too many tries; wait ${seconds} s.`) }))
  )
