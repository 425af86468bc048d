import type { Act, Invited, OrganizationId } from "@overa/domain"
import { invitePerson, newInvitation } from "@overa/host-kit"
import { Effect } from "effect"
import type { Visit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"

/** Invites a person in the visitor's language; see `invitePerson` for who may be shown the link. */
export const inviteMember = Effect.fnUntraced(function*({ origin, say }: Visit, act: Act, invited: Invited & { readonly organizationId: OrganizationId }) {
  const { mailConfigured } = yield* PortalSettings
  return yield* invitePerson(act, invited, { portal: origin, mailConfigured, say })
})

/** An invitation that is stored with the organization itself; see `newInvitation`. */
export const firstInvitation = Effect.fnUntraced(function*({ origin, say }: Visit, invited: Invited) {
  const { mailConfigured } = yield* PortalSettings
  return yield* newInvitation(invited, { portal: origin, mailConfigured, say })
})
