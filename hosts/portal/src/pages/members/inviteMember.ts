import { Invitations, readEmail } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { Faults } from "../../html/forms.ts"
import { digestOf, newToken } from "../../http/Marks.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { actOf } from "../personAct.ts"
import { readRole } from "./roleWords.ts"

/** Invites the person named in the form. Answers the link to send, or the faults. Only the link's digest is stored. */
export const inviteMember = Effect.fnUntraced(function*(visit: MemberVisit) {
  const email = readEmail(visit.form?.text("email") ?? "")
  const role = readRole(visit.form?.text("role") ?? "")
  if (email === null || role === null) {
    return { faults: { email: visit.say("Унесите исправну адресу, нпр. ana@primer.rs.", "Enter an address, ana@primer.rs for example.") } satisfies Faults }
  }
  const token = newToken()
  const at = yield* DateTime.now
  yield* (yield* Invitations).invite(actOf(visit), {
    organizationId: visit.organizationId,
    email,
    role,
    tokenDigest: digestOf(token),
    at,
    expiresAt: DateTime.add(at, { hours: 72 })
  })
  return { link: `${visit.origin}/invitation/${token}` }
}, (effect, visit) =>
  Effect.catchTag(effect, "PersonActRefused", () =>
    Effect.succeed({ faults: { email: visit.say("Ова особа већ има улогу; измените је у списку.", "This person has a role already; change it in the list.") } satisfies Faults })))
