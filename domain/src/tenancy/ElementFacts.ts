import type { DateTime, Redacted } from "effect"

/** The content of a security element's file. The key, the chain and the PAC are encrypted before they are stored. */
export interface ElementFacts {
  readonly jid: string
  readonly tin: string
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly fingerprintSha256: string
  readonly validFrom: DateTime.Utc
  readonly validTo: DateTime.Utc
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
  /** Leaf first, then intermediates, PEM. */
  readonly certificateChain: string
  readonly pac: Redacted.Redacted<string>
}
