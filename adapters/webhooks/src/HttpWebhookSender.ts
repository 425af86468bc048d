import { type ClaimedWebhook, type WebhookOutcome, WebhookSender } from "@overa/domain"
import { Clock, Effect, Layer, Result } from "effect"
import type { LookupAddress } from "node:dns"
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction, type Socket } from "node:net"
import { connect as tlsConnect } from "node:tls"
import { addressFault } from "./addressFault.ts"
import { failureWords } from "./failureWords.ts"
import { type ResolveName, resolveByNameServers, resolveBySystem } from "./resolveNames.ts"
import { signatureHeader } from "./webhookKeys.ts"

/** How events leave the installation. */
export interface WebhookConnection {
  /** `http://host:port` of a proxy that takes CONNECT; null: directly. */
  readonly proxy: URL | null
  /** Only for a sandbox on one machine: receivers on private addresses get events too, and names are those of the system with its file of hosts. */
  readonly allowPrivate: boolean
  /** Instead of the look-up of names; in tests. */
  readonly lookup?: ResolveName
  /** `address:port`, instead of the system's name servers; in tests. */
  readonly nameServers?: ReadonlyArray<string>
  /** In tests: PEM of the roots to trust. */
  readonly trustAnchors?: string
  /** The whole attempt, from the look-up to the last byte that is read. */
  readonly timeoutMillis?: number
}

const defaultTimeoutMillis = 15_000
/** Of an answer so much is read and kept; the rest is not waited for. */
const answerBytes = 4_096

/** The addresses to connect to, the first to begin with: looked up once, checked, and then connected to, so that no second look-up can say something else. */
const addressesOf = async (connection: WebhookConnection, host: string, signal: AbortSignal): Promise<readonly [LookupAddress, ...ReadonlyArray<LookupAddress>]> => {
  const { allowPrivate, lookup = allowPrivate ? resolveBySystem : resolveByNameServers(connection.nameServers) } = connection
  const family = isIP(host)
  const found = family === 0 ? await lookup(host, signal) : [{ address: host, family }]
  // Each of them is checked: a name that has one private address is not asked which one it meant.
  const fault = allowPrivate ? undefined : found.map(({ address }) => addressFault(address)).find((one) => one !== undefined)
  const [first, ...others] = found
  if (fault !== undefined) throw new Error(fault)
  if (first === undefined) throw new Error(`${host} has no address`)
  return [first, ...others]
}

/** Another address is tried after so long without a connection, or at once where there is no way to the first: a worker need not have both families. */
const connectMillis = 3_000

/** Connects to one of the addresses, whatever name is asked for. */
const connectingTo = (addresses: ReadonlyArray<LookupAddress>) => {
  const lookup: LookupFunction = (_name, _options, done) => done(null, [...addresses])
  return { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: connectMillis }
}

/** A connection through the operator's proxy to the checked address. */
const throughProxy = (proxy: URL, { address, family }: LookupAddress, port: number, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${family === 6 ? `[${address}]` : address}:${port}`
    const headers = proxy.username === "" ? {} : {
      "proxy-authorization": `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString("base64")}`
    }
    const connecting = httpRequest({ host: proxy.hostname, port: proxy.port === "" ? 80 : Number(proxy.port), method: "CONNECT", path: target, headers, agent: false, signal })
    connecting.on("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy answered ${statusCode}`))
    })
    connecting.on("response", (answer) => {
      answer.destroy()
      reject(new Error(`the proxy answered ${answer.statusCode}`))
    })
    connecting.on("error", reject)
    connecting.end()
  })

/** The beginning of the answer, as text that a database can store. */
const beginningOf = (answer: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const end = () => resolve(Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8").replaceAll("\u0000", "\uFFFD"))
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= answerBytes) end()
    })
    // What came before the connection ended or the time was over is what there is.
    answer.on("close", end)
  })

const answered = (sending: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sending.on("response", resolve)
    sending.on("error", reject)
    sending.end(body)
  })

const openRequest = async (connection: WebhookConnection, url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ClientRequest> => {
  const isTls = url.protocol === "https:"
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const addresses = await addressesOf(connection, host, signal)
  const trust = connection.trustAnchors === undefined ? {} : { ca: connection.trustAnchors }
  const names = isIP(host) === 0 ? { servername: host } : {}
  const tunnel = connection.proxy === null ? null : await throughProxy(connection.proxy, addresses[0], port, signal)
  const options = {
    method: "POST", path: `${url.pathname}${url.search}`, headers: { ...headers, host: url.host }, signal, maxHeaderSize: 16_384,
    ...(tunnel === null ? { agent: false as const, host, port, ...connectingTo(addresses) } : {
      createConnection: () => isTls ? tlsConnect({ socket: tunnel, ...names, ...trust }) : tunnel
    })
  }
  // A certificate is checked against the name of the address, not against the number that was connected to.
  return isTls ? httpsRequest({ ...options, ...names, ...trust }) : httpRequest(options)
}

const headersOf = ({ endpoint, eventId, body }: ClaimedWebhook, secrets: ClaimedWebhook["endpoint"]["secrets"], at: Date): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
  "user-agent": "Overa-Webhooks/1",
  "webhook-id": eventId,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
  "webhook-signature": signatureHeader(secrets, eventId, at, body),
  "webhook-endpoint": endpoint.id
})

const post = async (connection: WebhookConnection, claimed: ClaimedWebhook, secrets: ClaimedWebhook["endpoint"]["secrets"], at: Date) => {
  const url = new URL(claimed.endpoint.url)
  if (url.protocol !== "https:" && claimed.endpoint.environment !== "sandbox") throw new Error("the address does not begin with https://")
  const timeout = connection.timeoutMillis ?? defaultTimeoutMillis
  const signal = AbortSignal.timeout(timeout)
  const late = new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new Error(`no whole answer within ${timeout} ms`)), { once: true }))
  let sending: ClientRequest | undefined
  const exchange = async () => {
    sending = await openRequest(connection, url, headersOf(claimed, secrets, at), signal)
    const answer = await answered(sending, claimed.body)
    return { statusCode: answer.statusCode ?? 0, answer: await beginningOf(answer), error: null }
  }
  try {
    return await Promise.race([exchange(), late])
  } finally {
    sending?.destroy()
  }
}

const make = (connection: WebhookConnection): WebhookSender["Service"] => ({
  send: Effect.fn("WebhookSender.send")(function*(claimed, secrets) {
    const startedAt = yield* Clock.currentTimeMillis
    const sent = yield* Effect.result(Effect.tryPromise({ try: () => post(connection, claimed, secrets, new Date(startedAt)), catch: failureWords }))
    const millis = Math.max(0, (yield* Clock.currentTimeMillis) - startedAt)
    return (Result.isSuccess(sent) ? { ...sent.success, millis } : { statusCode: null, answer: "", error: sent.failure, millis }) satisfies WebhookOutcome
  })
})

/** Sends events over HTTP: one connection for each attempt, to an address that was checked, without following redirects. */
export const HttpWebhookSender = {
  layer: (connection: WebhookConnection): Layer.Layer<WebhookSender> => Layer.sync(WebhookSender, () => WebhookSender.of(make(connection)))
}
