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
  /** The time of its last token, to the hour; null if it never got one, or if another issuer issues the tokens. */
  readonly lastUsedAt: DateTime.Utc | null
}

/** What an operator sees of credentials and licences. Read only; not used on a receipt's path. */
export class AccessOversight extends Context.Service<AccessOversight, {
  readonly credentials: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<CredentialEntry>, StoreUnavailable>
  /** The keys under which the digests of active credentials' secrets were made, and how many under each; null: made before keys were recorded. */
  readonly digestKeys: Effect.Effect<ReadonlyArray<{ readonly keyId: string | null; readonly credentials: number }>, StoreUnavailable>
  /** How many operators have a second factor and can therefore sign in. */
  readonly operators: Effect.Effect<number, StoreUnavailable>
  /** The current licence; `LicenseRegister`, which receipts use, may be two seconds old. Null where there is none. */
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
}>()("@overa/domain/ports/AccessOversight") {}
