import { Schema } from "effect"
import type { Environment } from "./Environment.ts"
import type { BusinessPremiseId, OrganizationId } from "./identifiers.ts"

/** The twelve scopes of the contract, which every credential gets (Spec, Authentication 6). */
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
  "security-elements:read"
])
export type Scope = typeof Scope.Type

/** Endpoints of webhooks, an extension: a credential has it where it was asked for (docs/adr/0203). */
export const webhookScope = "webhooks:manage"
/** What an organization may give to a credential: the twelve, and the one of the extension. */
export const OwnScope = Schema.Literals([...Scope.literals, webhookScope])
export type OwnScope = typeof OwnScope.Type

/** Makes and ends credentials over the API. Not one of the twelve: an operator alone grants it (docs/adr/0180). */
export const managementScope = "credentials:manage"
/** What a credential may have: what an organization may give, and the one that an operator adds. */
export const GrantableScope = Schema.Literals([...OwnScope.literals, managementScope])
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
