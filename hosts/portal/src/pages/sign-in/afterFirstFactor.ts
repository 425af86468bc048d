import type { Person } from "@overa/domain"
import { Effect } from "effect"
import { redirect } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"
import { justChecked, openCompleteSession, openSession } from "./openSession.ts"

/** Opens the session and continues at `next`; if the person has a second factor, at the page that asks for it. */
export const afterFirstFactor = Effect.fnUntraced(function*(visit: Visit, person: Person, next: string) {
  const basis = justChecked(visit, person)
  if (!person.hasSecondFactor) return redirect(next, yield* openCompleteSession(visit, person, basis))
  return redirect(`/sign-in/code?next=${encodeURIComponent(next)}`, [yield* openSession(visit, person, { stage: "PASSWORD", basis })])
})
