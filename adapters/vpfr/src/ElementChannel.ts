import { Client, type buildConnector } from "undici"
import { NotStarted } from "./classifyTransportFailure.ts"
import { Exchange, type Exchanged, type ExchangeTerms, type HttpRequest } from "./Exchange.ts"

export interface ChannelOptions {
  readonly origin: string
  readonly connector: buildConnector.connector
  readonly connections: number
  readonly keepAliveMillis: number
}

/** Called once with the result; `settle` says whether the connection may be used again. */
export type OnExchanged = (exchanged: Exchanged, settle: (reusable: boolean) => void) => void

/** One connection: at most one request at a time, so that an answer can only belong to the request before it. */
interface Lane {
  readonly client: Client
  readonly generation: number
}

interface Waiting {
  readonly exchange: Exchange
  readonly start: (lane: Lane) => void
}

/** A request that never had a connection says nothing about the V-PFR's reachability. */
const asBusy = (exchanged: Exchanged): Exchanged =>
  exchanged._tag === "NothingLeft" && exchanged.cause === "tooLate"
    ? { ...exchanged, cause: "busy", detail: "every connection of the element was busy for too long" }
    : exchanged

const withoutOwnTimeouts = { headersTimeout: 0, bodyTimeout: 0 } // the exchange has its own deadlines

/**
 * The connections of one element, used by no other element: a V-PFR that hangs for another element cannot delay it, and no request is ever sent under
 * another taxpayer's certificate.
 *
 * Nothing is retried or sent twice. A connection is used again only after a whole answer that was accepted; after anything else it is destroyed.
 * Requests beyond the number of connections wait in order, each no longer than its own terms allow.
 */
export class ElementChannel {
  readonly #options: ChannelOptions
  readonly #idle: Array<Lane> = []
  readonly #waiting: Array<Waiting> = []
  #lanes = 0
  #generation = 0
  #closed = false

  constructor(options: ChannelOptions) {
    this.#options = options
  }

  /** Whether any request is in flight or waiting. */
  get isIdle(): boolean {
    return this.#lanes === this.#idle.length && this.#waiting.length === 0
  }

  exchange(request: HttpRequest, terms: ExchangeTerms, onExchanged: OnExchanged): void {
    let taken: Lane | null = null
    const exchange = new Exchange(request, terms, (exchanged) => {
      const at = this.#waiting.findIndex((waiting) => waiting.exchange === exchange)
      if (at >= 0) this.#waiting.splice(at, 1)
      const lane = taken
      onExchanged(lane === null ? asBusy(exchanged) : exchanged, (reusable) => {
        if (lane !== null) this.#release(lane, reusable && exchanged._tag === "Answered")
      })
    })
    exchange.checkTerms()
    if (exchange.ended) return
    const start = (lane: Lane) => {
      taken = lane
      const { body, headers, method, path } = request
      lane.client.dispatch({ method, path, headers: [...headers], body, ...withoutOwnTimeouts }, exchange)
    }
    this.#waiting.push({ exchange, start })
    this.#startNext()
    // Usually it has started by now, on an idle connection: then there is nothing to wait for.
    exchange.arm()
  }

  /** Closes idle connections now and busy ones after their request; waiting requests use new ones. */
  renewConnections(): void {
    this.#generation += 1
    for (const lane of this.#idle.splice(0)) this.#destroy(lane)
    this.#startNext()
  }

  /** Closes idle connections now and busy ones after their request; requests that still wait were not sent and never will be. */
  close(): void {
    this.#closed = true
    for (const lane of this.#idle.splice(0)) this.#destroy(lane)
    for (const { exchange } of this.#waiting.splice(0)) exchange.refuse()
  }

  #startNext(): void {
    while (this.#waiting.length > 0) {
      const lane = this.#takeLane()
      if (lane === null) return
      this.#waiting.shift()?.start(lane)
    }
  }

  /** The connection used last first: the others may then go idle and close. */
  #takeLane(): Lane | null {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#lanes >= this.#options.connections) return null
    this.#lanes += 1
    return { client: this.#connect(), generation: this.#generation }
  }

  #connect(): Client {
    const { connector, keepAliveMillis, origin } = this.#options
    return new Client(origin, {
      connect: connector,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMillis,
      keepAliveMaxTimeout: keepAliveMillis
    })
  }

  #release(lane: Lane, reusable: boolean): void {
    if (reusable && !this.#closed && lane.generation === this.#generation) this.#idle.push(lane)
    else this.#destroy(lane)
    this.#startNext()
  }

  #destroy(lane: Lane): void {
    this.#lanes -= 1
    lane.client.destroy(new NotStarted("closed")).catch(() => undefined) // nothing waits for the closing
  }
}
