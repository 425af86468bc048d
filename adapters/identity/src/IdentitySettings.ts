import type { Redacted } from "effect"

/** How tokens are issued and recognized. The same values on every host of an installation. */
export interface IdentitySettings {
  /** `iss` of our own tokens, and the base of the token endpoint. */
  readonly issuer: string
  /** `aud` of our own tokens: this API and no other. */
  readonly audience: string
  /** The key of the credentials' keyed digests (Decisions §7). */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  /** Keys whose digests are still accepted; a digest found under one of them is replaced by one under `credentialKey`. */
  readonly formerCredentialKeys?: ReadonlyArray<Redacted.Redacted<Uint8Array>>
}

/** Seconds a token lives. Source: Spec, Authentication 2. */
export const tokenLifetimeSeconds = 300
