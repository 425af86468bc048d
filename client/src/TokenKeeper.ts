import { AuthenticationFailed, ServiceUnavailable } from "./errors.ts"
import type { Surroundings } from "./Surroundings.ts"

/** A token this close to its end is replaced before it is used (Spec, Limits: refresh when fewer than about 30 seconds remain). */
const refreshBeforeMillis = 30_000

/** The credential for the token endpoint. */
export interface ClientCredential {
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Keeps one access token valid; however many calls wait, only one request fetches the next. */
export class TokenKeeper {
  private readonly credential: ClientCredential
  private readonly surroundings: Surroundings
  private kept: { readonly token: string; readonly until: number } | null = null
  private asking: Promise<string> | null = null

  constructor(credential: ClientCredential, surroundings: Surroundings) {
    this.credential = credential
    this.surroundings = surroundings
  }

  /** A token with at least half a minute left. */
  token(): Promise<string> {
    if (this.kept !== null && this.kept.until - refreshBeforeMillis > this.surroundings.now()) return Promise.resolve(this.kept.token)
    this.asking ??= this.ask().finally(() => {
      this.asking = null
    })
    return this.asking
  }

  /** The service refused this token: the next call fetches another, unless one was fetched meanwhile. */
  discard(token: string): void {
    if (this.kept?.token === token) this.kept = null
  }

  private async ask(): Promise<string> {
    const { authUrl, clientId, clientSecret } = this.credential
    const askedAt = this.surroundings.now()
    const response = await this.surroundings.fetch(authUrl, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }).toString()
    }).catch((cause: unknown) => {
      throw new ServiceUnavailable(null, `The token endpoint ${authUrl} cannot be reached.`, cause)
    })
    const answer = await response.json().catch(() => ({})) as Partial<TokenAnswer>
    if (response.status >= 500 || response.status === 429) {
      throw new ServiceUnavailable(response.status, `The token endpoint answered ${response.status}.`)
    }
    if (!response.ok || answer.access_token === undefined) {
      throw new AuthenticationFailed(`${answer.error ?? response.status}: ${answer.error_description ?? "no token was issued"}`)
    }
    this.kept = { token: answer.access_token, until: askedAt + (answer.expires_in ?? 0) * 1_000 }
    return answer.access_token
  }
}

interface TokenAnswer {
  readonly access_token: string
  readonly expires_in: number
  readonly error: string
  readonly error_description: string
}
