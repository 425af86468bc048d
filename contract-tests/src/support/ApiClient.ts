import { randomUUID } from "node:crypto"
import type { ApiTarget, ClientCredential } from "../http/ApiTarget.ts"
import { type ContractChecker, contractChecker } from "./contractChecker.ts"

/** An answer as received. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; null where there is none. */
  // The suites read deep into answers whose shape the contract checker has already checked.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly key?: string
  /** A value to be written as JSON, or a text to be sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An HTTP client of a deployment that checks every answer against the OpenAPI document that the deployment publishes. */
export class ApiClient {
  readonly target: ApiTarget
  private readonly checker: ContractChecker
  private readonly tokens = new Map<string, { readonly token: string; readonly until: number }>()

  private constructor(target: ApiTarget, checker: ContractChecker) {
    this.target = target
    this.checker = checker
  }

  static async of(target: ApiTarget): Promise<ApiClient> {
    const document = await fetch(`${target.baseUrl}/openapi.yaml`)
    return new ApiClient(target, contractChecker(await document.text()))
  }

  async send(request: ApiRequest): Promise<ApiAnswer> {
    const response = await fetch(this.target.baseUrl + request.path, {
      method: request.method,
      redirect: "manual",
      headers: {
        ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(request.token === undefined ? {} : { Authorization: `Bearer ${request.token}` }),
        ...(request.key === undefined ? {} : { "Idempotency-Key": request.key }),
        ...request.headers
      },
      ...(request.body === undefined ? {} : { body: bodyText(request.body) })
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, json: jsonOf(text, response.headers) }
    this.checker.check(request, answer)
    return answer
  }

  /** A token of the credential, cached while it is valid. */
  async token(credential: ClientCredential = this.target): Promise<string> {
    const kept = this.tokens.get(credential.clientId)
    if (kept !== undefined && kept.until > Date.now()) return kept.token
    const response = await fetch(this.target.authUrl, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: credential.clientId,
        client_secret: credential.clientSecret
      })
    })
    const granted = await response.json() as { readonly access_token: string; readonly expires_in: number }
    if (!response.ok) throw new Error(`No token for ${credential.clientId}: ${JSON.stringify(granted)}`)
    this.tokens.set(credential.clientId, { token: granted.access_token, until: Date.now() + (granted.expires_in - 30) * 1_000 })
    return granted.access_token
  }

  async get(path: string, credential?: ClientCredential): Promise<ApiAnswer> {
    return this.send({ method: "GET", path, token: await this.token(credential) })
  }

  async post(path: string, body: unknown, options: { readonly key?: string; readonly credential?: ClientCredential } = {}) {
    return this.send({ method: "POST", path, token: await this.token(options.credential), key: options.key ?? newKey(), body })
  }
}

/** A new key. */
export const newKey = (): string => `key-${randomUUID()}`

const bodyText = (body: unknown): string => typeof body === "string" ? body : JSON.stringify(body)

const jsonOf = (text: string, headers: Headers): unknown =>
  /json/.test(headers.get("content-type") ?? "") && text !== "" ? JSON.parse(text) : null
