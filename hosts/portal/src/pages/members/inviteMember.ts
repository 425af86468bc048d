import { type Act, Invitations, type MemberRole, type OrganizationId, type PersonMail, plainLine } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { digestOf, newToken } from "../../http/Marks.ts"
import type { Visit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"
import { roleWords } from "./roleWords.ts"

/** An invitation to be made. */
export interface Invited {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly email: string
  readonly role: MemberRole
}

/** The message with the link. The token stands after `#`, which browsers send to no server, so that no proxy logs it. */
const invitationMail = ({ origin, say }: Visit, invited: Invited, token: string): PersonMail => {
  const organization = plainLine(invited.organizationName)
  const lines = [
    say("Позвани сте у организацију:", "You are invited to the organization:"),
    `${organization} – ${roleWords(say, invited.role)}`,
    "",
    say("Отворите овај линк; важи једном и 72 сата:", "Open this link; it works once and for 72 hours:"),
    `${origin}/invitation#${token}`,
    "",
    say("Ако страница затражи код, упишите овај:", "If the page asks for a code, enter this one:"),
    token,
    "",
    say("Ако ово не очекујете, не радите ништа.", "If you do not expect this, do nothing.")
  ]
  return { recipient: invited.email, subject: `${say("Позив у организацију", "Invitation to an organization")}: ${organization}`, text: lines.join("\n") }
}

/**
 * Invites a person by e-mail: only whoever reads that mailbox has the link, and it is never shown to the inviter. Without a mail server the link is answered, and only an
 * operator may be shown it. Only the link's digest is stored, and its message encrypted until it is sent.
 */
export const inviteMember = Effect.fnUntraced(function*(visit: Visit, act: Act, invited: Invited) {
  const { mailConfigured } = yield* PortalSettings
  const token = newToken()
  const at = yield* DateTime.now
  const { email, organizationId, role } = invited
  const invitation = { organizationId, email, role, tokenDigest: digestOf(token), at, expiresAt: DateTime.add(at, { hours: 72 }) }
  yield* (yield* Invitations).invite(act, invitation, mailConfigured ? invitationMail(visit, invited, token) : null)
  return mailConfigured ? null : `${visit.origin}/invitation#${token}`
})
