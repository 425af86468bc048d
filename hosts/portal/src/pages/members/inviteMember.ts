import { type Act, type Invited, invitationHours, invitationLink, invitationMail, Invitations, type OrganizationId } from "@overa/domain"
import { digestOf, newToken } from "@overa/host-kit"
import { DateTime, Effect } from "effect"
import type { Visit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"

/**
 * Invites a person by e-mail: only whoever reads that mailbox has the link, and it is never shown to the inviter. Without a mail server the link is answered, and only an
 * operator may be shown it. Only the link's digest is stored, and its message encrypted until it is sent.
 */
export const inviteMember = Effect.fnUntraced(function*({ origin, say }: Visit, act: Act, invited: Invited & { readonly organizationId: OrganizationId }) {
  const { mailConfigured } = yield* PortalSettings
  const token = newToken()
  const at = yield* DateTime.now
  const { email, organizationId, role } = invited
  const invitation = { organizationId, email, role, tokenDigest: digestOf(token), at, expiresAt: DateTime.add(at, { hours: invitationHours }) }
  yield* (yield* Invitations).invite(act, invitation, mailConfigured ? invitationMail(invited, { portal: origin, say, token }) : null)
  return mailConfigured ? null : invitationLink(origin, token)
})
