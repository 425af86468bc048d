import { createServer as createTcpServer, type Socket } from "node:net"
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls"
import { message, readMessage } from "./httpMessage.ts"
import { signedAnswer } from "./signedAnswer.ts"
import type { Identity } from "./throwawayCertificates.ts"

/** A request as it arrived whole. */
export interface Arrived {
  readonly requestId: string
  readonly head: string
  readonly body: string
  readonly socket: TLSSocket
  /** Which connection, counted from 1. */
  readonly connection: number
  /** A signed answer to it, as an HTTP message. */
  readonly signed: (change?: Record<string, unknown>) => string
}

/** What the server does; an absent field means silence. */
export interface Behaviour {
  onTcp?: (socket: Socket) => void
  onSecure?: (socket: TLSSocket) => void
  onFirstBytes?: (socket: TLSSocket) => void
  onRequest?: (arrived: Arrived) => void
}

export interface CuttingServer {
  readonly url: string
  readonly port: number
  /** How the next requests are treated. */
  behaviour: Behaviour
  /** Every whole request that arrived, in order. */
  readonly arrived: Array<Arrived>
  /** Application bytes received over all connections. */
  readonly received: () => number
  readonly connections: () => number
  readonly openConnections: () => number
  /** Begins the handshake on a TCP connection that was held back. */
  readonly handshake: (socket: Socket) => void
  readonly close: () => Promise<void>
}

/**
 * A server that can be cut off at every point of a connection's life: TCP, handshake, first byte, body, answer. It counts what it received, which
 * tests every claim that nothing was sent.
 */
export const cuttingServer = async (
  identity: Identity,
  options: TlsOptions & { readonly jid: string }
): Promise<CuttingServer> => {
  let received = 0
  let connections = 0
  let counter = 0
  const open = new Set<Socket>()
  const arrivedRequests: Array<Arrived> = []

  const tls = createTlsServer({ key: identity.privateKey, cert: identity.certificate, requestCert: true, ...options }, (socket) => {
    const connection = (connections += 1)
    let bytes = Buffer.alloc(0)
    socket.on("error", () => undefined)
    server.behaviour.onSecure?.(socket)
    socket.on("data", (chunk) => {
      if (received === 0 || bytes.length === 0) server.behaviour.onFirstBytes?.(socket)
      received += chunk.length
      bytes = Buffer.concat([bytes, chunk])
      const request = readMessage(bytes)
      if (request === null) return
      bytes = bytes.subarray(request.length)
      const body = request.body.toString("utf8")
      const signed = (change: Record<string, unknown> = {}) =>
        message("200 OK", JSON.stringify({ ...signedAnswer(body, options.jid, (counter += 1)), ...change }))
      const requestId = /^RequestId: (\S+)/im.exec(request.head)?.[1] ?? ""
      const arrived = { head: request.head, body, requestId, socket, connection, signed }
      arrivedRequests.push(arrived)
      server.behaviour.onRequest?.(arrived)
    })
  })
  tls.on("tlsClientError", () => undefined)
  const tcp = createTcpServer((socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket))
    socket.on("error", () => undefined)
    if (server.behaviour.onTcp !== undefined) server.behaviour.onTcp(socket)
    else server.handshake(socket)
  })
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve))
  const address = tcp.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const server: CuttingServer = {
    url: `https://127.0.0.1:${port}`,
    port,
    behaviour: {},
    arrived: arrivedRequests,
    received: () => received,
    connections: () => connections,
    openConnections: () => open.size,
    handshake: (socket) => void tls.emit("connection", socket),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        tcp.close(() => resolve())
      })
  }
  return server
}
