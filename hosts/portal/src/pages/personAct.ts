import { type Act, RecordActs, SentForms } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { MemberVisit, PersonVisit } from "../http/Visit.ts"

/** The reason in the activity log of an act for which nobody is asked one. */
export const ownReason = "in the portal"

/** A person's act, for the activity log. */
export const actOf = ({ actor }: PersonVisit): Act => ({ actor, reason: ownReason })

/** As the portal's pages make them. */
const formId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether this form is sent for the first time: a double click acts once, and so does a form that is given back after its session's end. False for a form without an id of this portal. */
export const isFirstSending = Effect.fnUntraced(function*(visit: PersonVisit) {
  const id = visit.form?.text("form") ?? ""
  return formId.test(id) && (yield* (yield* SentForms).claim(visit.session.session, id, yield* DateTime.now))
})

/**
 * Writes a member's act into the organization's activity log where the act's own port does not. Before the act, in a commit of its own: no such act is without its line, and
 * the line says that it was asked for.
 */
export const noteAsked = Effect.fnUntraced(function*(visit: MemberVisit, act: string, subject: string, after: object) {
  yield* (yield* RecordActs).record(actOf(visit), { organizationId: visit.organizationId, act, subject, after: JSON.stringify(after) })
})
