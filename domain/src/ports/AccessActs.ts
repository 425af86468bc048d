import { Context, type DateTime, type Effect, type Redacted } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { LicenseModule } from "../licensing/License.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { Scope } from "../tenancy/Scope.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface IssuedCredential {
  readonly clientId: string
  /** Shown once; only its digest is stored. */
  readonly clientSecret: Redacted.Redacted<string>
}

export interface NewTokenKey {
  readonly kid: string
  readonly privateKey: Redacted.Redacted<string>
  readonly publicJwk: Readonly<Record<string, string>>
}

/**
 * Credentials, licences and the keys that sign tokens. Every act is one commit together with its line in the activity log: who, what, before, after,
 * why.
 */
export class AccessActs extends Context.Service<AccessActs, {
  readonly issueCredential: (
    act: Act,
    organizationId: OrganizationId,
    environment: Environment | null,
    scopes: ReadonlyArray<Scope>
  ) => Effect.Effect<IssuedCredential, ActRefused | StoreUnavailable>
  readonly revokeCredential: (act: Act, clientId: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly grantLicense: (
    act: Act,
    organizationId: OrganizationId,
    license: {
      readonly startsAt: DateTime.Utc
      readonly expiresAt: DateTime.Utc | null
      readonly modules: ReadonlyArray<LicenseModule>
    }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly suspendLicense: (
    act: Act,
    organizationId: OrganizationId,
    suspended: boolean
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** The new key signs from now on; the earlier keys retire and still verify until the tokens they signed have expired. */
  readonly addTokenKey: (act: Act, key: NewTokenKey) => Effect.Effect<void, StoreUnavailable>
  /** Removes a retired key; tokens signed with it are refused at once. Refused for the key that signs now: add another one first. */
  readonly revokeTokenKey: (act: Act, kid: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/AccessActs") {}
