import { randomUUID } from "node:crypto"

export interface Credential {
  readonly clientId: string
  readonly clientSecret: string
}

/** What a caller is given beside the contract: addresses, credentials, and where to issue. The form of `sandbox.json`. */
export interface Settings extends Credential {
  readonly baseUrl: string
  readonly authUrl: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly production: Credential & { readonly taxpayerId: string; readonly businessPremiseId: string }
  readonly noEnvironment: Credential
  /** Where the far end is told to fail. */
  readonly vpfr: { readonly controlUrl: string }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Answers are of every shape of the contract.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface Asked {
  readonly body?: unknown
  readonly key?: string
  readonly token?: string | null
  readonly type?: string
}

/** A number with exactly these digits in JSON. */
export const digits = (text: string): string => `\u0001${text}`
const written = (body: unknown): string => JSON.stringify(body).replaceAll(/"\\u0001([^"]*)"/g, "$1")

export const newKey = (): string => `reader-${randomUUID()}`

/** A deployment as a program sees it that has read its contract and nothing else: HTTP, and answers. */
export class Deployment {
  readonly settings: Settings
  private readonly tokens = new Map<string, Promise<string>>()
  /** Requests sent so far. */
  asked = 0
  /** Every answer so far that was no success. */
  readonly failed: Array<Answer> = []

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** A token of the credential, with all its scopes or with one; nothing where it is refused. */
  token(credential: Credential = this.settings, scope?: string): Promise<string> {
    const name = `${credential.clientId} ${scope ?? ""}`
    const known = this.tokens.get(name)
    if (known !== undefined) return known
    const granted = this.grant(credential, scope)
    this.tokens.set(name, granted)
    return granted
  }

  private async grant({ clientId, clientSecret }: Credential, scope?: string): Promise<string> {
    return (await this.askForToken({ clientId, clientSecret }, scope)).json?.access_token ?? ""
  }

  /** The answer of the token address. */
  async askForToken({ clientId, clientSecret }: Credential, scope?: string): Promise<Answer> {
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, ...(scope === undefined ? {} : { scope }) })
    return this.kept(await fetch(this.settings.authUrl, { method: "POST", body: form }))
  }

  private async kept(response: Response): Promise<Answer> {
    const text = await response.text()
    const json = /json/.test(response.headers.get("content-type") ?? "") && text !== "" ? JSON.parse(text) : null
    const answer = { status: response.status, headers: response.headers, text, json }
    if (!response.ok) this.failed.push(answer)
    return answer
  }

  async ask(method: string, path: string, { body, key, token, type = "application/json" }: Asked = {}): Promise<Answer> {
    this.asked += 1
    const bearer = token === undefined ? await this.token() : token
    return this.kept(await fetch(this.settings.baseUrl + path, {
      method,
      headers: {
        Accept: "application/json",
        ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }), ...(key === undefined ? {} : { "Idempotency-Key": key }), ...(body === undefined ? {} : { "Content-Type": type })
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : written(body) })
    }))
  }

  /** A request with a key of its own. */
  issue(path: string, body: unknown, key: string = newKey()): Promise<Answer> {
    return this.ask("POST", path, { body, key })
  }

  /** The far end fails so from now on; without a fault it works again. */
  async far(...faults: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<void> {
    const address = `${this.settings.vpfr.controlUrl}/faults`
    await fetch(address, { method: "DELETE" })
    for (const fault of faults) await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fault) })
  }
}
