import type { DateTime } from "effect"
import type { Environment } from "../tenancy/Environment.ts"

/** A certificate of reference: a root that elements may come from, or a signer of receipts. */
export interface ReferenceKey {
  readonly environment: Environment
  readonly kind: "TRUST_ROOT" | "SIGNER"
  /** The root's fingerprint, or the signer's JID. */
  readonly name: string
  /** PEM: a certificate, or for a signer also a bare public key. */
  readonly pem: string
  readonly addedAt: DateTime.Utc
}
