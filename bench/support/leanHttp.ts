import { connect, type Socket } from "node:net"
import { type HttpMessage, readMessage } from "../../adapters/vpfr/test/support/httpMessage.ts"

// Callers and signer share the cores with the measured hosts, which real shops and the tax authority do not. Their cost is kept small here: only as
// much of HTTP/1.1 as this benchmark uses.

/** Reads a connection's bytes and emits its messages. */
export const messageReader = (onMessage: (message: HttpMessage) => void): (chunk: Buffer) => void => {
  let unread: Buffer = Buffer.alloc(0)
  return (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    for (let message = readMessage(unread); message !== null; message = readMessage(unread)) {
      unread = unread.subarray(message.length)
      onMessage(message)
    }
  }
}

export interface LeanAnswer {
  readonly status: number
  readonly body: Buffer
}

type Settle = (answer: LeanAnswer | Error) => void

interface Connection {
  readonly socket: Socket
  settle: Settle
  idleSince: number
}

/** Hosts close connections that were idle for some seconds; a connection is no longer used shortly before that. */
const idleMillis = 2_000

/** A caller with as many kept-alive connections to one address as it has requests in flight. */
export const leanCaller = (url: string) => {
  const { host, hostname, port } = new URL(url)
  const idle: Array<Connection> = []
  const opened = new Set<Socket>()
  const open = (): Connection => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const connection: Connection = { socket, settle: () => undefined, idleSince: 0 }
    const read = messageReader(({ body, head }) => {
      const { settle } = connection
      connection.idleSince = performance.now()
      idle.push(connection)
      settle({ status: Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 201".length)), body })
    })
    socket.on("data", read)
    socket.on("error", (cause) => connection.settle(cause))
    socket.on("close", () => connection.settle(new Error("the host closed the connection")))
    opened.add(socket)
    return connection
  }
  const freshlyIdle = (): Connection | undefined => {
    const latest = idle.pop()
    if (latest === undefined || performance.now() - latest.idleSince < idleMillis) return latest
    // The others have been idle for longer.
    for (const { socket } of [latest, ...idle.splice(0)]) socket.destroy()
    return undefined
  }
  return {
    post: (path: string, headers: string, body: Buffer): Promise<LeanAnswer> =>
      new Promise((resolve, reject) => {
        const connection = freshlyIdle() ?? open()
        connection.settle = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer))
        const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${headers}content-length: ${body.length}\r\n\r\n`
        connection.socket.write(Buffer.concat([Buffer.from(head, "latin1"), body]))
      }),
    close: (): void => opened.forEach((socket) => void socket.destroy())
  }
}
