import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { type AddressInfo, createServer as createAcceptor, type ListenOptions, type Server as Acceptor, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { randomUUID } from "node:crypto"
import { Admission } from "./Admission.ts"
import { ConnectionStarts } from "./ConnectionStarts.ts"
import { isFromProxy, peerAddress, type TrustedProxies } from "./callerAddress.ts"
import { networkOf } from "./networkOf.ts"
import { withoutHost } from "./requestTarget.ts"

/** Slow and oversized requests are cut off here, before they cost more than a socket. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

/** The address at which a host listens, and how many connections it keeps open. */
export interface ListeningOn {
  readonly host: string
  readonly port: number
  /** Default 8 192. */
  readonly connections?: number
  /** Default: none. */
  readonly trustProxy?: TrustedProxies
}

/** Requests that one connection may send before it has read the answers to earlier ones. Today's clients send no second one. */
const mostUnanswered = 4
/** Faults of a network (`ConnectionStarts`) when a connection has sent more. */
const faultsOfPipelining = 200
/** A caller that gives up waits for longer; one that is gone so soon never wanted the answer. */
const goneAtOnceMillis = 250

/**
 * One network may have at most as many connections as are still free, so alone half of them. So nobody can exclude others from the host by opening
 * connections. Further connections are closed unanswered; a trusted proxy bounds its callers itself.
 *
 * `hasTooMany` tells whether a connection has more unanswered requests than permitted: the host would work on each of them at once.
 */
const boundConnections = (server: Server, { connections = 8_192, trustProxy = null }: ListeningOn) => {
  const admission = new Admission({ requests: connections, bodyBytes: 0, answerBytes: 0 })
  const starts = new ConnectionStarts()
  const bounded = new WeakMap<Socket, { readonly network: string | null; unanswered: number }>()
  // The engine's own listener reads the connection; it is called when it is the connection's turn.
  const [read] = server.listeners("connection")
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    const peer = peerAddress(socket)
    const network = isFromProxy(peer, trustProxy) ? null : networkOf(peer)
    bounded.set(socket, { network, unanswered: 0 })
    if (network === null) return read?.call(server, socket)
    const admitted = admission.enter(network)
    if (admitted === null) return socket.destroy()
    socket.once("close", admitted.leave)
    starts.enter(network, { socket, start: () => read?.call(server, socket) })
  })
  // A proxy that the operator has not named carries the callers of all.
  const isOfAnyone = ({ headers }: IncomingMessage): boolean => trustProxy === null && headers["x-forwarded-for"] !== undefined
  const hasTooMany = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    const of = bounded.get(socket)
    if (of === undefined) return false
    const began = performance.now()
    of.unanswered += 1
    response.once("close", () => {
      of.unanswered -= 1
      if (of.network !== null && !response.writableFinished && performance.now() - began < goneAtOnceMillis && !isOfAnyone(request)) starts.blame(of.network, 1)
    })
    if (of.unanswered === mostUnanswered + 1 && of.network !== null) starts.blame(of.network, faultsOfPipelining)
    return of.unanswered > mostUnanswered
  }
  return { hasTooMany, closeWaiting: () => starts.closeWaiting() }
}

/**
 * The engine accepts one connection of each listening socket in one turn of its event loop (libuv, since release 1.45). Under load a turn takes tens of
 * milliseconds, and the last of a hundred new connections waited for seconds before anything was read of it. So as many sockets listen at one
 * address, where the system spreads new connections over them.
 */
const acceptors = process.platform === "linux" ? 16 : 1

const bind = (server: Acceptor, options: ListenOptions): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(options, () => {
      server.off("error", reject)
      resolve(server.address() as AddressInfo)
    })
  })

const closed = (server: Acceptor): Promise<void> => new Promise((resolve) => void server.close(() => resolve()))

/** Finds the port, and that no other program has it: sockets that share an address would share it with another program of this account too. */
const freeAddress = async (options: ListenOptions): Promise<ListenOptions> => {
  const probe = createAcceptor((socket) => socket.destroy())
  const { address, port } = await bind(probe, options)
  await closed(probe)
  return { host: address, port }
}

/** Keeps another host from sharing the address where both start in the same moment; the system lets go of it when the process ends. */
const holdAddress = async ({ host, port }: ListenOptions): Promise<Acceptor> => {
  const holder = createAcceptor((socket) => socket.destroy())
  await bind(holder, { path: `\0overa-listen ${host} ${port}` })
  return holder
}

/** The same options as the engine's own servers of HTTP have. */
const acceptorOf = (server: Server): Acceptor => createAcceptor({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket))

/** Listens with several sockets where that is possible; all connections are the one server's. */
const bindAll = async (server: Server, options: ListenOptions): Promise<Listening> => {
  const shared = acceptors === 1 ? options : { ...(await freeAddress(options)), reusePort: true }
  const others = Array.from({ length: acceptors - 1 }, () => acceptorOf(server))
  const all = acceptors === 1 ? [server] : [await holdAddress(shared), server, ...others]
  const stop = () => Promise.all(all.map(closed)).then(() => undefined)
  try {
    const { port } = await bind(server, shared)
    for (const other of others) await bind(other, shared)
    return { port, stop, closeConnections: () => server.closeAllConnections() }
  } catch (error) {
    void stop()
    throw error
  }
}

/** What listens. */
export interface Listening {
  readonly port: number
  /** Accepts no more connections; resolves once all are closed. */
  readonly stop: () => Promise<void>
  /** Closes the connections that are still open. */
  readonly closeConnections: () => void
}

/** Listens; if that fails, rejects with one clear sentence that names the setting. `portSetting` is the name of the port's setting. */
export const listen = async (listener: RequestListener, address: ListeningOn, portSetting = "PORT"): Promise<Listening> => {
  const server = createServer(limits, (request, response) => {
    if (bounds.hasTooMany(request, response)) return void request.socket.destroy()
    // Koa gives a target with a host in it to a parser that throws for some of them.
    if (request.url?.startsWith("/") === false) request.url = withoutHost(request.url)
    if (!repeatsHeader(request.rawHeaders)) return listener(request, response)
    response.writeHead(400, { Connection: "close", "Content-Length": "0", "X-Request-Id": randomUUID() }).end()
  })
  server.on("clientError", refuseUnreadable)
  const bounds = boundConnections(server, address)
  try {
    const { stop, ...listening } = await bindAll(server, { host: address.host, port: address.port })
    const stopAll = () => {
      bounds.closeWaiting()
      return stop()
    }
    return { ...listening, stop: stopAll }
  } catch (error) {
    throw new CannotListen(error as NodeJS.ErrnoException, address, portSetting)
  }
}

/** What a proxy in front may have read another one of than we do: which host is asked, and who asks (RFC 9112 §3.2, RFC 9110 §11.6.2). */
const onlyOnce: ReadonlySet<string> = new Set(["host", "authorization"])

/** Whether a header that may stand once stands twice. Names and values alternate. */
const repeatsHeader = (rawHeaders: ReadonlyArray<string>): boolean => {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ""
    if (!onlyOnce.has(name)) continue
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}

export class CannotListen extends Error {
  constructor(error: NodeJS.ErrnoException, { host, port }: Pick<ListeningOn, "host" | "port">, portSetting: string) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `${portSetting}: ${port} is taken by another program.`,
      EACCES: `${portSetting}: this account may not listen on ${port}.`
    }
    super(reasons[error.code ?? ""] ?? `OVERA_LISTEN_HOST: ${host} is no address of this machine (${error.code ?? error.message}).`)
  }
}

const statusOf: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout"
}

/** Something that is no HTTP request gets one plain answer, and the connection is closed. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ""] ?? "400 Bad Request"
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nX-Request-Id: ${randomUUID()}\r\n\r\n`)
}
