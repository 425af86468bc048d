import { type Act, type Invited, invitationHours, invitationLink, invitationMail, Invitations, type NewInvitation, type OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { digestOf, newToken } from "./linkToken.ts"

/** How an invitation goes out: in whose words, and whether a mail server takes it. `portal` is the portal's address. */
export interface InvitationDelivery {
  readonly portal: string
  readonly mailConfigured: boolean
  readonly say: (serbian: string, english: string) => string
}

/**
 * An invitation with its message, not stored yet. Without a mail server there is no message, and the link is answered instead: only an operator may be shown it.
 * Only the link's digest is stored, and its message encrypted until it is sent.
 */
export const newInvitation = Effect.fnUntraced(function*(invited: Invited, { mailConfigured, portal, say }: InvitationDelivery) {
  const token = newToken()
  const at = yield* DateTime.now
  const { email, role } = invited
  const invitation: NewInvitation = { email, role, tokenDigest: digestOf(token), at, expiresAt: DateTime.add(at, { hours: invitationHours }) }
  return { invitation, mail: mailConfigured ? invitationMail(invited, { portal, say, token }) : null, link: mailConfigured ? null : invitationLink(portal, token) }
})

/**
 * Invites a person by e-mail: only whoever reads that mailbox has the link, and it is never shown to the inviter. Answers the link where there is no mail server, as
 * `newInvitation` does.
 */
export const invitePerson = Effect.fnUntraced(function*(act: Act, invited: Invited & { readonly organizationId: OrganizationId }, delivery: InvitationDelivery) {
  const { invitation, link, mail } = yield* newInvitation(invited, delivery)
  yield* (yield* Invitations).invite(act, { ...invitation, organizationId: invited.organizationId }, mail)
  return link
})
