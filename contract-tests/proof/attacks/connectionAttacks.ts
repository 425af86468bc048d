import { connect, type Socket } from "node:net"
import { type Attack, type Seen } from "./attackKinds.ts"
import { type Ground, tokenOf } from "./Ground.ts"

/** Another loopback address than the victim's, because connections are bounded by network. */
const attackersAddress = "127.0.0.2"

/** This many connections, each reopened when it ends; `use` sends and reads. */
const connections = (name: string, what: string, count: number, use: (socket: Socket, ground: Ground, token: string) => void): Attack => ({
  name,
  what,
  run: async (ground, until) => {
    const token = await tokenOf(ground)
    const { hostname, port } = new URL(ground.url)
    const seen = { opened: 0, ended: 0 }
    const sockets = new Set<Socket>()
    const openOne = (): void => {
      if (until.aborted) return
      const socket = connect({ host: hostname, port: Number(port), localAddress: attackersAddress }, () => {
        seen.opened += 1
        use(socket, ground, token)
      })
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => {
        seen.ended += 1
        sockets.delete(socket)
        setTimeout(openOne, 50)
      })
    }
    for (let number = 0; number < count; number += 1) openOne()
    await new Promise<void>((resolve) => until.addEventListener("abort", () => resolve(), { once: true }))
    for (const socket of sockets) socket.destroy()
    return seen satisfies Seen
  }
})

const head = (path: string, token: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`

const dripping = (text: string) => (socket: Socket): void => {
  socket.resume()
  socket.write(text)
  const drip = setInterval(() => socket.write("x"), 500)
  socket.once("close", () => clearInterval(drip))
}

/** Attacks with connections: too many, slow, silent, or never read. */
export const connectionAttacks: ReadonlyArray<Attack> = [
  connections("idle-connections", "10 000 connections that say nothing", 10_000, (socket) => void socket.resume()),
  connections("endless-headers", "1 000 connections with a header that never ends", 1_000, dripping("GET /v1/taxpayers HTTP/1.1\r\nHost: x\r\nX-A: ")),
  connections("slow-readers", "1 000 connections that ask for the reference and read nothing", 1_000, (socket) => {
    socket.pause()
    socket.write("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n".repeat(4))
  }),
  connections("pipelined", "100 connections with a thousand requests each, sent at once", 100, (socket, _ground, token) => {
    socket.resume()
    socket.write(`${head("/v1/taxpayers", token)}\r\n`.repeat(1_000))
  }),
  connections("aborted", "200 connections that send a request and go", 200, (socket, _ground, token) => {
    socket.write(`${head("/v1/journal?pageSize=200", token)}\r\n`)
    setTimeout(() => socket.destroy(), 5)
  })
]
