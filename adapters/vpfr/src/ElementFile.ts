/** The content of an element's PFX file, ready to be stored (encrypted) and used. */
export interface ElementFile {
  /** PKCS#8, PEM. A secret. */
  readonly privateKeyPem: string
  /** Leaf first, then its issuer and so on up; after them other issuers that the file has. Roots are left out (Decisions §4, Trust). */
  readonly certificateChainPem: string
  readonly facts: ElementFacts
}

/** The public facts of an element's certificate (V-PFR §9). */
export interface ElementFacts {
  /** Subject SERIALNUMBER: eight upper-case letters and digits. */
  readonly jid: string
  /** From the certificate's own extension; null when it has none. */
  readonly tin: string | null
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  /** Upper-case hexadecimal without separators. */
  readonly fingerprintSha256: string
  /** Milliseconds since 1970, UTC. */
  readonly validFrom: number
  readonly validTo: number
  /** Addresses the certificate names: compared with the operator's, never used (Decisions §4, Trust). */
  readonly taxCoreApiUrl: string | null
  readonly vsdcUrl: string | null
}

/** Why a file cannot be an element. */
export type PfxFault = "NOT_A_PFX" | "WRONG_PASSWORD" | "NO_KEY" | "NO_MATCHING_CERTIFICATE" | "NO_JID" | "UNSUPPORTED"
