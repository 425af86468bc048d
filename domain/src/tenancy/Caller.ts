import type { Environment } from "./Environment.ts"
import type { OrganizationId } from "./identifiers.ts"
import type { Scope } from "./Scope.ts"

/** Who calls: what a verified token says, before the environment is known to be there (Decisions §7). */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly clientId: string
  readonly scopes: ReadonlySet<Scope>
}

/** The organization and environment every read and write is held to (Spec, Authentication 7). */
export interface Tenant {
  readonly organizationId: OrganizationId
  readonly environment: Environment
}
