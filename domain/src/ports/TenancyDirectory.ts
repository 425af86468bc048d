import { Context, type DateTime, type Effect, type Option, type Redacted } from "effect"
import type { License } from "../licensing/licenseGate.ts"
import type { BusinessPremise, PremiseForIssuing, Taxpayer } from "../tenancy/Taxpayer.ts"
import type { GrantableScope, Tenant } from "../tenancy/Caller.ts"
import type { Environment, EnvironmentSettings } from "../tenancy/Environment.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { BusinessPremiseId, OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Taxpayers, premises and elements of one tenant. Another tenant's object is answered as not found (Decisions §7). */
export class TenancyDirectory extends Context.Service<TenancyDirectory, {
  /** None when the taxpayer is not this tenant's or is inactive. May be up to two seconds old: it is read for every receipt. */
  readonly premiseForIssuing: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    businessPremiseId: BusinessPremiseId
  ) => Effect.Effect<Option.Option<PremiseForIssuing>, StoreUnavailable>
  readonly taxpayers: (tenant: Tenant) => Effect.Effect<ReadonlyArray<Taxpayer>, StoreUnavailable>
  readonly businessPremises: (
    tenant: Tenant,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<Option.Option<ReadonlyArray<BusinessPremise>>, StoreUnavailable>
  readonly securityElements: (tenant: Tenant) => Effect.Effect<ReadonlyArray<SecurityElement>, StoreUnavailable>
}>()("@overa/domain/ports/TenancyDirectory") {}

/** The organizations' licences; null where there is none. May be up to two seconds old. */
export class LicenseRegister extends Context.Service<LicenseRegister, {
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
}>()("@overa/domain/ports/LicenseRegister") {}

/** The operator's settings, and the identity of this process. */
export class Installation extends Context.Service<Installation, {
  readonly settings: (environment: Environment) => Effect.Effect<EnvironmentSettings, StoreUnavailable>
  readonly hostId: string
  readonly bootId: string
}>()("@overa/domain/ports/Installation") {}

/** A client's credential; its secret is known only as a keyed digest (Decisions §7). */
export interface Credential {
  readonly clientId: string
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<GrantableScope>
  /** The only premises it may be used for; null where it is not restricted. Never changes. */
  readonly premises: ReadonlyArray<BusinessPremiseId> | null
  /** Hex of HMAC-SHA-256 of the secret under the installation's credential key. */
  readonly secretDigest: string
  /** The secret before the last rotation, which is accepted until then. */
  readonly formerSecret: { readonly digest: string; readonly until: DateTime.Utc } | null
  readonly revoked: boolean
}

/** A key that signs access tokens; the public halves are published as a JWKS. */
export interface TokenKey {
  readonly kid: string
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
  /** Public JWK members. */
  readonly publicJwk: Readonly<Record<string, string>>
  /** The newest active key signs. A retired one verifies until its last tokens have expired; milliseconds since 1970, null while active. */
  readonly retiredAt: number | null
}

/** What secrets are compared with, and the keys that sign tokens. */
export class Credentials extends Context.Service<Credentials, {
  readonly find: (clientId: string) => Effect.Effect<Option.Option<Credential>, StoreUnavailable>
  /** Replaces the secret's digest that was read by its digest under another key; does nothing if that digest was replaced meanwhile. */
  readonly replaceDigest: (
    found: Pick<Credential, "organizationId" | "clientId" | "secretDigest">,
    next: { readonly digest: string; readonly keyId: string }
  ) => Effect.Effect<void, StoreUnavailable>
  /** Stores that the credential got a token at that time; an earlier time changes nothing. Never on the path of a receipt. */
  readonly noteUse: (credential: Pick<Credential, "organizationId" | "clientId">, at: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
  /** Newest first. */
  readonly tokenKeys: Effect.Effect<ReadonlyArray<TokenKey>, StoreUnavailable>
}>()("@overa/domain/ports/Credentials") {}

/** New identifiers: UUID version 7, lower case (Decisions §1). */
export class Identifiers extends Context.Service<Identifiers, {
  readonly uuid: Effect.Effect<string>
}>()("@overa/domain/ports/Identifiers") {}
