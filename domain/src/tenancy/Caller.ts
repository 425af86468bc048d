import { Schema } from "effect"
import type { Environment } from "./Environment.ts"
import type { BusinessPremiseId, OrganizationId } from "./identifiers.ts"

/** The twelve scopes of the contract (Spec, Authentication 6), and one of its extension (docs/adr/0203). */
export const Scope = Schema.Literals([
  "fiscal:write",
  "fiscal:read",
  "refund:write",
  "advance:write",
  "advance:close",
  "proforma-training:write",
  "operations:read",
  "catalogue:read",
  "catalogue:write",
  "configuration:read",
  "tenant:read",
  "security-elements:read",
  "webhooks:manage"
])
export type Scope = typeof Scope.Type

/** Makes and ends credentials over the API. Not one of the twelve: an operator alone grants it (docs/adr/0180). */
export const managementScope = "credentials:manage"
/** What a credential may have: the twelve, and the one that an operator adds. */
export const GrantableScope = Schema.Literals([...Scope.literals, managementScope])
export type GrantableScope = typeof GrantableScope.Type

/** The caller, as a verified token describes it, before the environment is known to exist (Decisions §7). */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly clientId: string
  readonly scopes: ReadonlySet<GrantableScope>
  /** The only premises that it may issue for and read of; null where all of its organization and environment. */
  readonly premises: ReadonlySet<BusinessPremiseId> | null
}

/** The organization and environment that every read and write is limited to (Spec, Authentication 7). */
export interface Tenant {
  readonly organizationId: OrganizationId
  readonly environment: Environment
}
