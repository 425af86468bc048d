import { PortalSessions, type SignInPaused } from "@overa/domain"
import { Effect } from "effect"
import { redirect, type Reply, slowedDown } from "../../http/Reply.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { pausedSentence } from "./pausedSentence.ts"

/** The answer to too many wrong codes: the page with how long to wait, or the end of the half-finished sign-in. */
export const pausedReply = Effect.fnUntraced(function*<E, R>(visit: PersonVisit, fault: SignInPaused, show: (refusal: string) => Effect.Effect<Reply, E, R>) {
  if (!fault.mustBeginAgain) return slowedDown(yield* show(pausedSentence(visit, fault)), fault.seconds)
  yield* (yield* PortalSessions).end(visit.session.session.digest)
  return redirect("/sign-in?ended=codes", [{ name: "session", value: null }])
})
