import { type Act, PortalSessions } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { MemberVisit } from "../http/Visit.ts"

/** A member's act, for the activity log. */
export const actOf = (visit: MemberVisit): Act => ({ actor: visit.actor, reason: "in the portal" })

/** Whether this form is sent for the first time: a double click acts once. False for a form without an id of this portal. */
export const isFirstSending = Effect.fnUntraced(function*(visit: MemberVisit) {
  return yield* (yield* PortalSessions).claimForm(visit.session.session.digest, visit.form?.text("form") ?? "", yield* DateTime.now)
})
