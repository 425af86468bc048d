import { checkPassword, SignInPaused, SignInRefused } from "@overa/domain"
import { Effect, Redacted } from "effect"
import type { Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import { type Reply, slowedDown } from "../../http/Reply.ts"
import type { PersonVisit, Visit } from "../../http/Visit.ts"

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

/** Compares the password in that field; wrong ones are counted like those of a sign-in. */
export const checkCurrentPassword = ({ form, person, tryFrom }: PersonVisit) =>
  checkPassword({ email: person.email, password: Redacted.make(form?.exact("current") ?? ""), from: tryFrom(person.email) })

const pausedFault = ({ say }: Visit, { seconds }: SignInPaused): string =>
  say(`Превише покушаја; сачекајте ${seconds} с.`, `Too many tries; wait ${seconds} s.`)

/** The page again, with how long to wait beside the field. */
export const pausedPage = <E, R>(visit: Visit, paused: SignInPaused, name: string, show: (faults: Faults) => Effect.Effect<Reply, E, R>) =>
  Effect.map(show({ [name]: pausedFault(visit, paused) }), (reply) => slowedDown(reply, paused.seconds))

/** What is wrong with the password, beside its field. */
export const withPasswordFaults = <E, R, E2, R2>(
  visit: Visit,
  act: Effect.Effect<Reply, E | SignInRefused | SignInPaused, R>,
  show: (faults: Faults) => Effect.Effect<Reply, E2, R2>
) =>
  act.pipe(
    Effect.catchIf((error) => error instanceof SignInRefused, () => show({ current: visit.say("Садашња лозинка није тачна.", "The current password is wrong.") })),
    Effect.catchIf((error) => error instanceof SignInPaused, (paused) => pausedPage(visit, paused, "current", show))
  )
