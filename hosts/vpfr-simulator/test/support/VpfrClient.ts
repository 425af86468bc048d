import { Agent, request as httpsRequest } from "node:https"
import type { Element, RunningSimulator } from "../../src/index.ts"
import type { Json } from "./Json.ts"

export interface Reply {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
  /** The body parsed, loosely typed for assertions. */
  readonly json: Json
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A plain V-PFR client over real mutual TLS; rejects with the transport's own error. */
export class VpfrClient {
  readonly #agent: Agent
  readonly #base: string
  readonly #pac: string | undefined

  constructor(simulator: RunningSimulator, element: Element, certificate: boolean = true) {
    const environment = element.environment
    this.#base = simulator[environment].url
    this.#pac = element.pac
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 8,
      ca: simulator.trustAnchorsPem(environment),
      ...(certificate ? { cert: element.certificatePem + element.chainPem, key: element.privateKeyPem } : {})
    })
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const body = options.body === undefined ? "" : typeof options.body === "string" ? options.body : JSON.stringify(options.body)
    const headers = {
      ...(this.#pac === undefined ? {} : { PAC: this.#pac }),
      ...(body === "" ? {} : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
      ...options.headers
    }
    return new Promise((resolve, reject) => {
      const request = httpsRequest(this.#base + path, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8")
          resolve({ status: response.statusCode ?? 0, contentType: response.headers["content-type"], text, json: parse(text) })
        })
      })
      request.on("error", reject)
      request.end(body)
    })
  }

  submit(body: unknown, requestId?: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.call("POST", "/api/v3/invoices", { body, headers: { ...(requestId === undefined ? {} : { RequestId: requestId }), ...headers } })
  }

  search(requestId: string): Promise<Reply> {
    return this.call("GET", `/api/v3/invoices/${encodeURIComponent(requestId)}`)
  }

  close(): void {
    this.#agent.destroy()
  }
}
