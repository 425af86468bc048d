import type { Environment } from "./Environment.ts"
import type { OrganizationId } from "./identifiers.ts"
import type { Scope } from "./Scope.ts"

/** The caller, as a verified token describes it, before the environment is known to exist (Decisions §7). */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
}

/** The organization and environment that every read and write is limited to (Spec, Authentication 7). */
export interface Tenant {
  readonly organizationId: OrganizationId
  readonly environment: Environment
}
