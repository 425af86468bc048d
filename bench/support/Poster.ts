import { randomUUID } from "node:crypto"
import type { ApiTarget } from "../../contract-tests/src/http/ApiTarget.ts"

/** What a request issued. */
export interface Posted {
  readonly id: string
  readonly millis: number
  readonly bytes: number
}

/** Posts as one credential, renewing its token in good time. */
export class Poster {
  private readonly target: ApiTarget
  private token: { readonly text: string; readonly until: number } | null = null

  constructor(target: ApiTarget) {
    this.target = target
  }

  private async freshToken(): Promise<string> {
    if (this.token !== null && this.token.until > performance.now()) return this.token.text
    const { authUrl, clientId, clientSecret } = this.target
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }
    const granted = await fetch(authUrl, { method: "POST", body: new URLSearchParams(form) })
    const { access_token: text } = await granted.json() as { readonly access_token: string }
    this.token = { text, until: performance.now() + 200_000 }
    return text
  }

  /** What was issued, and the milliseconds until its answer was read whole. */
  async issue(path: string, body: unknown): Promise<Posted> {
    const headers = {
      Authorization: `Bearer ${await this.freshToken()}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID()
    }
    const started = performance.now()
    const answer = await fetch(this.target.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) })
    const text = await answer.text()
    const millis = performance.now() - started
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return { id: (JSON.parse(text) as { readonly id: string }).id, millis, bytes: Buffer.byteLength(text) }
  }
}
