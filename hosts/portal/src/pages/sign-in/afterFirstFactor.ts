import type { Person } from "@overa/domain"
import { Effect } from "effect"
import { redirect } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"
import { deviceCookie } from "./deviceCookie.ts"
import { openSession } from "./openSession.ts"

/** Opens the session and continues at `next`; if the person has a second factor, at the page that asks for it. */
export const afterFirstFactor = Effect.fnUntraced(function*(visit: Visit, person: Person, next: string) {
  const cookie = yield* openSession(visit, person, person.hasSecondFactor ? "PASSWORD" : "COMPLETE")
  if (person.hasSecondFactor) return redirect(`/sign-in/code?next=${encodeURIComponent(next)}`, [cookie])
  return redirect(next, [cookie, deviceCookie(visit, person.email)])
})
