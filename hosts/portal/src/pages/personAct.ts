import { type Act, PortalSessions } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PersonVisit } from "../http/Visit.ts"

/** The reason in the activity log of an act for which nobody is asked one. */
export const ownReason = "in the portal"

/** A person's act, for the activity log. */
export const actOf = ({ actor }: PersonVisit): Act => ({ actor, reason: ownReason })

/** Whether this form is sent for the first time: a double click acts once. False for a form without an id of this portal. */
export const isFirstSending = Effect.fnUntraced(function*(visit: PersonVisit) {
  return yield* (yield* PortalSessions).claimForm(visit.session.session.digest, visit.form?.text("form") ?? "", yield* DateTime.now)
})
