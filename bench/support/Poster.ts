import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import type { ApiTarget } from "../../contract-tests/src/http/ApiTarget.ts"

/** What a request issued. */
export interface Posted {
  readonly id: string
  readonly millis: number
  readonly bytes: number
}

interface Read {
  readonly status: number
  readonly body: Buffer
  readonly millis: number
}

/**
 * Posts with one credential over a connection that stays open, and renews its token before it expires. The caller's own work with an answer is not
 * counted.
 */
export class Poster {
  private readonly target: ApiTarget
  private readonly agent = new Agent({ keepAlive: true })
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

  private send(path: string, headers: Record<string, string>, body: string): Promise<Read> {
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const sent = request(this.target.baseUrl + path, { method: "POST", agent: this.agent, headers }, (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("end", () => {
          const millis = performance.now() - started
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks), millis })
        })
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }

  /** The issued document, and the milliseconds until its answer was read completely. */
  async issue(path: string, body: unknown): Promise<Posted> {
    const headers = {
      Authorization: `Bearer ${await this.freshToken()}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID()
    }
    const answer = await this.send(path, headers, JSON.stringify(body))
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.body.toString()}`)
    const { id } = JSON.parse(answer.body.toString()) as { readonly id: string }
    return { id, millis: answer.millis, bytes: answer.body.length }
  }
}
