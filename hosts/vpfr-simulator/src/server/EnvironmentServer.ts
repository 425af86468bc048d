import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import { constants } from "node:crypto"
import type { TLSSocket } from "node:tls"
import { setTimeout as wait } from "node:timers/promises"
import type { ServerIdentity } from "../certificates/certificateAuthority.ts"
import type { Element } from "../certificates/Element.ts"
import { answerShared } from "../endpoints/sharedServices.ts"
import { getEnvironmentParameters } from "../endpoints/getEnvironmentParameters.ts"
import { getInvoice } from "../endpoints/getInvoice.ts"
import { getStatus } from "../endpoints/getStatus.ts"
import { notConfigured, postInvoice } from "../endpoints/postInvoice.ts"
import type { Fate } from "../faults/FaultBoard.ts"
import { complain } from "../report.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { answerPublic } from "../verification/answerPublic.ts"
import { type Answer, messageAnswer, send, serverPage } from "./Answer.ts"
import { clientElement } from "./clientElement.ts"
import { ConnectionGate } from "./ConnectionGate.ts"
import { deliver, substituteAnswer } from "./deliver.ts"
import { readBody, readHalf } from "./readBody.ts"
import { renegotiateForCertificate } from "./renegotiate.ts"
import { isPublic, type PublicRoute, type Route, routeOf } from "./routes.ts"

/** When the client certificate is requested: in the first handshake, or, as IIS does, after a request has arrived. */
export type ClientCertificateMode = "handshake" | "renegotiation"

export interface EnvironmentServerOptions {
  readonly host: string
  readonly port: number
  readonly identity: ServerIdentity
  readonly mode: ClientCertificateMode
}

type ApiRoute = Exclude<Route, PublicRoute | { endpoint: "none" | "shared" }>

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: ApiRoute
  readonly element: Element
  readonly fate: Fate
  readonly body: () => Promise<Buffer | null>
}

const tooLarge: Answer = { ...messageAnswer(413, "Maximum request length exceeded."), headers: { Connection: "close" } }

/** One environment's HTTPS server: TLS 1.2 and HTTP/1.1 only, as the real one needs (V-PFR §1.5). */
export class EnvironmentServer {
  readonly #simulation: Simulation
  readonly #environment: SimulatedEnvironment
  readonly #mode: ClientCertificateMode
  readonly #https: Server
  readonly #gate: ConnectionGate

  constructor(simulation: Simulation, environment: SimulatedEnvironment, options: EnvironmentServerOptions) {
    this.#simulation = simulation
    this.#environment = environment
    this.#mode = options.mode
    this.#https = createServer({
      key: options.identity.keyPem,
      cert: options.identity.chainPem,
      ca: [environment.authority.rootPem, environment.authority.issuingPem],
      minVersion: "TLSv1.2",
      maxVersion: "TLSv1.2",
      ALPNProtocols: ["http/1.1"],
      requestCert: options.mode === "handshake",
      // A missing or unknown certificate is answered with 403, not with a failed handshake (V-PFR §1.7).
      rejectUnauthorized: false,
      ...(options.mode === "renegotiation" ? { secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION } : {}),
      keepAliveTimeout: 120_000
    })
    this.#https.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch((cause: unknown) => this.#fail(response, cause))
    })
    this.#https.on("tlsClientError", (_cause, socket) => socket.destroy())
    this.#gate = new ConnectionGate(simulation.faults, environment.name, options, (socket) => this.#https.emit("connection", socket))
    simulation.faults.onChange(() => this.#gate.follow())
  }

  open(): Promise<number> {
    return this.#gate.open()
  }

  async close(): Promise<void> {
    this.#https.closeAllConnections()
    await this.#gate.close()
  }

  #fail(response: ServerResponse, cause: unknown): void {
    if (response.headersSent || response.destroyed) return
    complain("The simulator failed to answer:", cause)
    send(response, serverPage(500, "500 - Internal server error."))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request.method ?? "", request.url ?? "")
    if (route.endpoint === "none") {
      return send(response, messageAnswer(route.status, "No HTTP resource was found that matches the request URI or method."))
    }
    if (isPublic(route)) {
      return send(response, await answerPublic(this.#simulation, this.#environment, request, route.endpoint))
    }
    if (route.endpoint === "shared") return send(response, await answerShared(this.#simulation, this.#environment, route.service))
    await this.#serveApi(request, response, route)
  }

  async #serveApi(request: IncomingMessage, response: ServerResponse, route: ApiRoute): Promise<void> {
    const socket = request.socket as TLSSocket
    let read: Promise<Buffer | null> | undefined
    const body = () => read ??= readBody(request)
    if (this.#mode === "renegotiation" && socket.getPeerX509Certificate() === undefined) {
      // The connection is free for a second handshake only after a whole request; IIS reads ahead for the same reason.
      if (await body() === null) return send(response, tooLarge)
      await renegotiateForCertificate(socket)
    }
    const { elements, faults, now } = this.#simulation
    const identity = clientElement(socket, this.#environment.name, elements, now())
    if (!identity.known) return send(response, serverPage(403, identity.reason))
    const { element } = identity
    const fate = faults.fateOf({ environment: this.#environment.name, endpoint: route.endpoint, element: element.jid })
    await this.#meetFate({ request, response, route, element, fate, body })
  }

  /** Applies the faults that come before the endpoint, then calls the endpoint. */
  async #meetFate(exchange: Exchange): Promise<void> {
    const { body, fate, request, response } = exchange
    const fault = fate.fault
    const reset = () => this.#gate.reset(request.socket)
    if (fault?.fault === "reset-before-request") return reset()
    if (fault?.fault === "reset-mid-request") {
      await readHalf(request)
      return reset()
    }
    if (await body() === null) return send(response, tooLarge)
    if (fate.delay > 0) await wait(fate.delay, undefined, { ref: false })
    if (fault?.fault === "hang") return
    const substitute = fault?.fault === "no-tax-configuration" ? notConfigured : substituteAnswer(fault)
    if (substitute !== null && fault?.sign !== true) return send(response, substitute)
    const answer = await this.#answer(exchange)
    if (substitute !== null && answer.status === 200) return send(response, substitute)
    deliver(response, answer, fault, reset)
  }

  async #answer({ body, element, fate, request, route }: Exchange): Promise<Answer> {
    const environment = this.#environment
    switch (route.endpoint) {
      case "invoices":
        return postInvoice(this.#simulation, { environment, element, headers: request, body: await body() ?? Buffer.alloc(0), fate })
      case "search":
        return getInvoice(this.#simulation, { environment, element, headers: request, requestId: route.requestId, fate })
      case "status":
        return getStatus(this.#simulation, environment, element, fate)
      case "environment-parameters":
        return getEnvironmentParameters(environment)
      case "attention":
        return { status: 200, contentType: null, body: "" }
    }
  }
}
