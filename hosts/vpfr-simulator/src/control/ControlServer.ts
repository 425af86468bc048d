import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { complain } from "../report.ts"
import { type Answer, jsonAnswer, send } from "../server/Answer.ts"
import type { Simulation } from "../Simulation.ts"
import { controlRoutes } from "./controlRoutes.ts"
import { ControlRefusal, readControlBody } from "./readControlBody.ts"

interface Matched {
  readonly key: string
  readonly argument: string
}

const match = (method: string, path: string): Matched | null => {
  if (`${method} ${path}` in controlRoutes) return { key: `${method} ${path}`, argument: "" }
  const [, collection = "", argument = "", ...rest] = path.split("/")
  const key = [`${method} /${collection}/*`, ...rest].join("/")
  return argument !== "" && key in controlRoutes ? { key, argument: decodeURIComponent(argument) } : null
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

const isLoopback = (address: string): boolean => URL.canParse(address) && loopback.has(new URL(address).hostname)

/**
 * A page open in a browser on this machine could send requests here: such a request names its origin, or a host name that was made to resolve to this
 * machine.
 */
const checkSender = ({ headers }: IncomingMessage): void => {
  if (!isLoopback(`http://${headers.host ?? ""}`)) throw new ControlRefusal("The Host must be this machine's loopback address.", 403)
  if (headers.origin !== undefined && !isLoopback(headers.origin)) throw new ControlRefusal("Pages of other origins may not use the control.", 403)
}

const answer = async (simulation: Simulation, request: IncomingMessage): Promise<Answer> => {
  checkSender(request)
  const url = URL.parse(request.url ?? "/", "http://control")
  if (url === null) throw new ControlRefusal("The address is malformed.", 400)
  const matched = match(request.method ?? "", url.pathname)
  const handler = matched === null ? undefined : controlRoutes[matched.key]
  if (matched === null || handler === undefined) {
    throw new ControlRefusal(`Nothing answers ${request.method} ${url.pathname}; known are ${Object.keys(controlRoutes).join(", ")}.`, 404)
  }
  const body = await readControlBody(request)
  return handler({ simulation, argument: matched.argument, query: url.searchParams, body })
}

const refusalAnswer = (cause: unknown): Answer => {
  if (cause instanceof ControlRefusal) return jsonAnswer(cause.status, JSON.stringify({ error: cause.message }))
  if (cause instanceof URIError) return jsonAnswer(400, JSON.stringify({ error: "The address is malformed." }))
  complain("The simulator's control failed:", cause)
  return jsonAnswer(500, JSON.stringify({ error: "The simulator failed; its log says why." }))
}

/** The control API: plain HTTP, always on the loopback address only (Decisions §9). */
export class ControlServer {
  readonly #server: Server

  constructor(simulation: Simulation) {
    this.#server = createServer((request: IncomingMessage, response: ServerResponse) => {
      answer(simulation, request).catch(refusalAnswer).then((result) => send(response, result))
    })
  }

  async open(port: number): Promise<number> {
    this.#server.listen({ host: "127.0.0.1", port })
    await once(this.#server, "listening")
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, "close")
  }
}
