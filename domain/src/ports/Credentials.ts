import { Context, type DateTime, type Effect, type Option, type Redacted } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { Scope } from "../tenancy/Scope.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A client's credential; its secret is known only as a keyed digest (Decisions §7). */
export interface Credential {
  readonly clientId: string
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<Scope>
  /** Hex of HMAC-SHA-256 of the secret under the installation's credential key. */
  readonly secretDigest: string
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
