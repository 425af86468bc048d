/** A credential's id and secret. */
export interface ClientCredential {
  readonly clientId: string
  readonly clientSecret: string
}

/** A credential with a taxpayer and a premise ready to issue. */
export interface ReadyCredential extends ClientCredential {
  readonly taxpayerId: string
  readonly businessPremiseId: string
}

/**
 * A deployment that the HTTP contracts run against: the form of `.overa/sandbox.json` (Decisions §8), so that any installation seeded like the
 * sandbox can be tested.
 */
export interface ApiTarget extends ReadyCredential {
  readonly baseUrl: string
  readonly authUrl: string
  readonly organizationId: string
  readonly production: ReadyCredential
  readonly other: ReadyCredential
  readonly noEnvironment: ClientCredential
  /** Credentials that also have the scope of webhooks. */
  readonly webhooks: { readonly sandbox: ClientCredential; readonly production: ClientCredential; readonly other: ClientCredential }
  /** A credential that manages credentials, where there is one. */
  readonly management?: ClientCredential
  /** Lets the organization issue credentials itself, or no longer; only where the suites run in the same process. */
  readonly forbidCredentials?: (forbidden: boolean) => void
  /** A tax label for every sale of the suites, per environment. */
  readonly labels: { readonly sandbox: string; readonly production: string }
  /** Mints tokens with the installation's own key; only where the suites run in the same process. */
  readonly mint?: (claims: MintedClaims) => Promise<string>
}

/** The claims of a minted token; everything else as the token endpoint writes it. */
export interface MintedClaims {
  readonly clientId: string
  readonly organizationId?: string
  readonly environment?: string | null
  readonly scope?: string
  readonly audience?: string
  readonly issuer?: string
  readonly expiresInSeconds?: number
  readonly key?: "own" | "foreign"
}
