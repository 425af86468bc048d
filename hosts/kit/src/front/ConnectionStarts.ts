import type { Socket } from "node:net"

/** Faults that a network may have before its connections wait, the most that are counted, and how many are forgotten in a second. */
const faults = { allowed: 100, most: 200, forgottenPerSecond: 10 } as const
/** Time between two connections of a network that has had too many faults. */
const pauseMillis = 100
/** Connections that wait, of one network and of all; further ones are closed. The engine keeps up to 64 KiB that each has sent. */
const mostWaiting = { ofNetwork: 256, ofAll: 512 } as const
/** Above this number of networks, the one is forgotten whose last fault is the longest ago. */
const rememberedNetworks = 10_000

const ignored = (): void => undefined

interface Waiting {
  readonly socket: Pick<Socket, "destroy" | "destroyed" | "on">
  readonly start: () => void
}

interface Network {
  faults: number
  countedAt: number
  readonly waiting: Array<Waiting>
  timer: NodeJS.Timeout | null
}

const faultsAt = ({ countedAt, faults: counted }: Network, now: number): number => Math.max(0, counted - (now - countedAt) / 1_000 * faults.forgottenPerSecond)

/**
 * When a new connection is read. What a connection costs before any request is admitted, its acceptance and the reading of up to 64 KiB, no limit of a
 * credential bounds. So a network that has had a hundred faults within seconds has its connections read one after another, ten a second; all others are read at once.
 */
export class ConnectionStarts {
  readonly #networks = new Map<string, Network>()
  readonly #waiting = new Set<Waiting>()

  /** Calls `start` at once, or when it is the turn of this connection. */
  enter(name: string, waiting: Waiting): void {
    const network = this.#networks.get(name)
    if (network === undefined || (network.timer === null && faultsAt(network, performance.now()) < faults.allowed)) return waiting.start()
    if (network.waiting.length >= mostWaiting.ofNetwork || this.#waiting.size >= mostWaiting.ofAll) return void waiting.socket.destroy()
    // The engine hears a connection's errors once it reads; one that nobody hears ends the process.
    waiting.socket.on("error", ignored)
    network.waiting.push(waiting)
    this.#waiting.add(waiting)
    network.timer ??= this.#nextLater(network)
  }

  /** Counts so many faults of a network. */
  blame(name: string, count: number): void {
    const now = performance.now()
    const network = this.#networks.get(name) ?? { faults: 0, countedAt: now, waiting: [], timer: null }
    network.faults = Math.min(faults.most, faultsAt(network, now) + count)
    network.countedAt = now
    this.#networks.delete(name)
    this.#networks.set(name, network)
    const [oldest = name] = this.#networks.size > rememberedNetworks ? this.#networks.keys() : []
    if (oldest !== name) this.#networks.delete(oldest)
  }

  /** Closes the connections that wait. */
  closeWaiting(): void {
    for (const { socket } of this.#waiting) socket.destroy()
    this.#waiting.clear()
  }

  #nextLater(network: Network): NodeJS.Timeout {
    return setTimeout(() => {
      const next = network.waiting.shift()
      if (next !== undefined && this.#waiting.delete(next) && !next.socket.destroyed) next.start()
      network.timer = network.waiting.length === 0 ? null : this.#nextLater(network)
    }, pauseMillis).unref()
  }
}
