import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What happens to the next request of the service, beside being answered. */
export type Fault =
  | "pass"
  /** It is answered, and the answer never arrives. */
  | "loseAnswer"
  /** The answer ends in its middle. */
  | "cutAnswer"
  /** It never reaches the service. */
  | "unreachable"
  | "tooMany"
  /** A server in between has its own page. */
  | "badGateway"
  /** Its token has ended. */
  | "expiredToken"
  /** Before it arrives, the service has found what it searched. */
  | "foundBefore"

/** A host between a program and the service, that fails as networks do. */
export interface FaultyHost {
  readonly url: string
  /** For the next requests, in order; afterwards every one passes. */
  readonly faults: Array<Fault>
  /** Keys of the requests of the service, in order. */
  readonly keys: Array<string>
  /** How many tokens were given. */
  tokens: number
  readonly close: () => Promise<void>
}

interface Behind {
  readonly url: string
  readonly expiredToken: () => Promise<string>
  readonly find: () => Promise<void>
}

const page = (response: ServerResponse, status: number, headers: Readonly<Record<string, string>>, body: string): void => {
  response.writeHead(status, headers)
  response.end(body)
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The service's own answer, passed on or lost. */
const forward = async (incoming: IncomingMessage, outgoing: ServerResponse, url: string, fault: Fault, token: string | null): Promise<void> => {
  const body = await bodyOf(incoming)
  const headers = { ...incoming.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(incoming.url ?? "/", url), { method: incoming.method ?? "GET", headers }, resolve).on("error", reject).end(body)
  })
  const content = await bodyOf(answer)
  if (fault === "loseAnswer") return void outgoing.destroy()
  outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, "content-length": content.length })
  if (fault !== "cutAnswer") return void outgoing.end(content)
  outgoing.write(content.subarray(0, content.length / 2), () => outgoing.destroy())
}

export const startFaultyHost = async ({ expiredToken, find, url }: Behind): Promise<FaultyHost> => {
  const faults: Array<Fault> = []
  const keys: Array<string> = []
  const host = { tokens: 0 }
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.url?.startsWith("/v1/") !== true) {
      host.tokens++
      return forward(incoming, outgoing, url, "pass", null)
    }
    keys.push(String(incoming.headers["idempotency-key"]))
    const fault = faults.shift() ?? "pass"
    if (fault === "unreachable") return void incoming.socket.destroy()
    if (fault === "badGateway") return page(outgoing, 502, { "Content-Type": "text/html" }, "<h1>Bad gateway</h1>")
    if (fault === "tooMany") return page(outgoing, 429, { "Content-Type": "application/json", "Retry-After": "7" }, `{"code":"RATE_LIMITED","message":"Too many."}`)
    if (fault === "foundBefore") await find()
    return forward(incoming, outgoing, url, fault, fault === "expiredToken" ? await expiredToken() : null)
  }
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return Object.assign(host, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults, keys,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  })
}
