import { Context, type DateTime, type Effect } from "effect"
import type { License } from "../licensing/License.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { Scope } from "../tenancy/Scope.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface CredentialEntry {
  readonly clientId: string
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: DateTime.Utc
  readonly revokedAt: DateTime.Utc | null
}

/** What an operator sees of credentials and licences. Only reads; nothing here is on the way of a receipt. */
export class AccessOversight extends Context.Service<AccessOversight, {
  readonly credentials: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<CredentialEntry>, StoreUnavailable>
  /** Under which keys the digests of active credentials' secrets were made, and how many under each; null: before keys were noted. */
  readonly digestKeys: Effect.Effect<ReadonlyArray<{ readonly keyId: string | null; readonly credentials: number }>, StoreUnavailable>
  /** How many operators have a second factor and can sign in therefore. */
  readonly operators: Effect.Effect<number, StoreUnavailable>
  /** As it is now; `LicenseRegister` answers for receipts and may be two seconds old. Null where there is none. */
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
}>()("@overa/domain/ports/AccessOversight") {}
