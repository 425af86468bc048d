import { AccessOversight, isAlive, PortalSessions } from "@overa/domain"
import { digestOf } from "@overa/host-kit"
import { DateTime, Effect, Option } from "effect"
import { Refusal } from "../Refusal.ts"

/** The environment variable with the session's token. */
export const sessionVariable = "OVERA_OPERATOR_SESSION"

const sessionEnded = new Refusal({
  sentence: `The session in ${sessionVariable} has ended, or is not an operator's. Sign in again: sign-in <email>.`
})

/** The operator who signed in with password and second factor. */
const signedIn = Effect.fnUntraced(function*(token: string) {
  const sessions = yield* PortalSessions
  const found = Option.getOrNull(yield* sessions.find(digestOf(token)))
  const now = yield* DateTime.now
  if (found === null || !isAlive(found.session, now) || found.session.stage !== "COMPLETE") return yield* sessionEnded
  if (!found.person.operator || !found.person.hasSecondFactor) return yield* sessionEnded
  yield* sessions.seen(found.session.digest, now)
  return `operator:${found.person.email}`
})

/**
 * The actor for the activity log. A name without a sign-in is accepted only before the installation's first operator has a second factor, and in the
 * sandbox, whose keys are in a file beside it; the log then says that the operator was not signed in.
 */
export const actorOf = Effect.fnUntraced(function*(given: { readonly token: string; readonly claimed: string; readonly isSandbox: boolean }) {
  if (given.token !== "") return yield* signedIn(given.token)
  if (given.isSandbox || (yield* (yield* AccessOversight).operators) === 0) return `operator:${given.claimed} (not signed in)`
  return yield* new Refusal({ sentence: `Sign in first: sign-in <email>. Then set ${sessionVariable} to what it shows.` })
})
