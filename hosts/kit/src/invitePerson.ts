import { type Act, type Invited, invitationHours, invitationLink, invitationMail, Invitations, type OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { digestOf, newToken } from "./linkToken.ts"

/** How an invitation goes out: in whose words, and whether a mail server takes it. `portal` is the portal's address. */
export interface InvitationDelivery {
  readonly portal: string
  readonly mailConfigured: boolean
  readonly say: (serbian: string, english: string) => string
}

/**
 * Invites a person by e-mail: only whoever reads that mailbox has the link, and it is never shown to the inviter. Without a mail server the link is answered, and only an
 * operator may be shown it. Only the link's digest is stored, and its message encrypted until it is sent.
 */
export const invitePerson = Effect.fnUntraced(function*(act: Act, invited: Invited & { readonly organizationId: OrganizationId }, { mailConfigured, portal, say }: InvitationDelivery) {
  const token = newToken()
  const at = yield* DateTime.now
  const { email, organizationId, role } = invited
  const invitation = { organizationId, email, role, tokenDigest: digestOf(token), at, expiresAt: DateTime.add(at, { hours: invitationHours }) }
  yield* (yield* Invitations).invite(act, invitation, mailConfigured ? invitationMail(invited, { portal, say, token }) : null)
  return mailConfigured ? null : invitationLink(portal, token)
})
