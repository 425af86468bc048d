import type { Act, Invited, OrganizationId } from "@overa/domain"
import { invitePerson } from "@overa/host-kit"
import { Effect } from "effect"
import type { Visit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"

/** Invites a person in the visitor's language; see `invitePerson` for who may be shown the link. */
export const inviteMember = Effect.fnUntraced(function*({ origin, say }: Visit, act: Act, invited: Invited & { readonly organizationId: OrganizationId }) {
  const { mailConfigured } = yield* PortalSettings
  return yield* invitePerson(act, invited, { portal: origin, mailConfigured, say })
})
