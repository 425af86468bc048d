import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Organizations and who belongs to them. Every act is one commit together with its line in the activity log: who, what, before, after, why.
 *
 * @example
 * const id = yield* organizationActs.createOrganization({ actor: "operator:ana", reason: "contract 17" }, "Prodavnica d.o.o.")
 */
export class OrganizationActs extends Context.Service<OrganizationActs, {
  readonly createOrganization: (act: Act, name: string) => Effect.Effect<OrganizationId, StoreUnavailable>
  /**
   * Gives a role to a person who has an account with a proven address; nobody inherits a role with an address. Adding somebody again is refused, but a role that
   * waits for an account (from an earlier release) is given to it.
   */
  readonly addMember: (
    act: Act,
    organizationId: OrganizationId,
    member: { readonly person: string; readonly role: MemberRole }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly removeMember: (
    act: Act,
    organizationId: OrganizationId,
    person: string
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/OrganizationActs") {}
