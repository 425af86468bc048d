import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { complain } from "../report.ts"
import { send, serverPage } from "../server/Answer.ts"
import { isPublic, routeOf } from "../server/routes.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { answerPublic } from "./answerPublic.ts"

/**
 * The public check on plain HTTP, so that a browser opens a receipt's link without a warning about the simulator's own
 * certificates. The HTTPS server answers the same path.
 */
export class VerificationServer {
  readonly #server: Server

  constructor(simulation: Simulation, environment: SimulatedEnvironment) {
    this.#server = createServer((request, response) => {
      const route = routeOf(request.method ?? "", request.url ?? "")
      if (!isPublic(route)) return send(response, serverPage(404, "404 - File or directory not found."))
      answerPublic(simulation, environment, request, route.endpoint).then(
        (answer) => send(response, answer),
        (cause: unknown) => {
          complain("The verification page failed:", cause)
          send(response, serverPage(500, "500 - Internal server error."))
        }
      )
    })
  }

  async open(host: string, port: number): Promise<number> {
    this.#server.listen({ host, port })
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
