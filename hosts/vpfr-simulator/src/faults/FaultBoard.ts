import { randomInt } from "node:crypto"
import type { EnvironmentName } from "../EnvironmentName.ts"
import { type EndpointName, type Fault, type FaultName, type FaultOrder, isConnectFault, isModifier, isSearchFault } from "./Fault.ts"

/** What will happen to one request. */
export interface Fate {
  /** Milliseconds to wait before anything else. */
  readonly delay: number
  /** Milliseconds added to the PFR time. */
  readonly clockSkew: number
  /** The fault that decides the result: the oldest that matches. */
  readonly fault: Fault | null
}

export interface Circumstances {
  readonly environment: EnvironmentName
  readonly endpoint: EndpointName
  readonly element: string
}

interface Pending {
  readonly order: FaultOrder
  readonly id: number
  readonly seed: number
  readonly draw: () => number
  struck: number
}

/** The mulberry32 generator: small, sufficiently uniform, and the same sequence for a seed on every machine. */
const generatorFrom = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const remaining = ({ order, struck }: Pending): number | null => order.times === undefined ? null : order.times - struck

const asFault = (pending: Pending): Fault => ({
  ...pending.order,
  id: pending.id,
  seed: pending.seed,
  struck: pending.struck,
  remaining: remaining(pending)
})

/** The active faults. They are in memory only: a restarted simulator has none. */
export class FaultBoard {
  readonly #pending: Array<Pending> = []
  readonly #listeners: Array<() => Promise<void>> = []
  #nextId = 1

  /** Called, and awaited, whenever the set of faults has changed. */
  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  async #changed(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener()))
  }

  async add(order: FaultOrder): Promise<Fault> {
    const seed = order.seed ?? randomInt(2 ** 32)
    const pending: Pending = { order, id: this.#nextId++, seed, draw: generatorFrom(seed), struck: 0 }
    this.#pending.push(pending)
    await this.#changed()
    return asFault(pending)
  }

  /** All faults since the last clearing, used-up ones too, so that a test can see which were applied. */
  list(): ReadonlyArray<Fault> {
    return this.#pending.map(asFault)
  }

  /** Removes one fault by its id, or all; answers how many. */
  async clear(id?: number): Promise<number> {
    const before = this.#pending.length
    const kept = id === undefined ? [] : this.#pending.filter((pending) => pending.id !== id)
    this.#pending.splice(0, before, ...kept)
    await this.#changed()
    return before - kept.length
  }

  #strikes(pending: Pending): boolean {
    const left = remaining(pending)
    if (left !== null && left <= 0) return false
    if (pending.order.probability !== undefined && pending.draw() >= pending.order.probability) return false
    pending.struck += 1
    return true
  }

  #concerns({ order }: Pending, { element, endpoint, environment }: Circumstances): boolean {
    if (isConnectFault(order.fault)) return false
    const place = isSearchFault(order.fault) ? "search" : order.endpoint ?? "invoices"
    return (place === "all" || place === endpoint) &&
      (order.element === undefined || order.element === element) &&
      (order.environment === undefined || order.environment === environment)
  }

  /** Decides what happens to a request, and counts it against the faults that apply. */
  fateOf(circumstances: Circumstances): Fate {
    let delay = 0
    let clockSkew = 0
    let fault: Fault | null = null
    for (const pending of this.#pending) {
      if (!this.#concerns(pending, circumstances)) continue
      const modifies = isModifier(pending.order.fault)
      if ((!modifies && fault !== null) || !this.#strikes(pending)) continue
      if (!modifies) fault = asFault(pending)
      else if (pending.order.fault === "delay") delay += pending.order.ms ?? 0
      else clockSkew += pending.order.ms ?? 0
    }
    return { delay, clockSkew, fault }
  }

  /** Decides what happens to a connection attempt. */
  fateOfConnection(environment: EnvironmentName): FaultName | null {
    const struck = this.#pending.find((pending) =>
      isConnectFault(pending.order.fault) && this.#reaches(pending, environment) && this.#strikes(pending)
    )
    return struck?.order.fault ?? null
  }

  #reaches({ order }: Pending, environment: EnvironmentName): boolean {
    return order.environment === undefined || order.environment === environment
  }

  /** Whether the listener itself must be closed: a fault without limit or probability refuses everything, so no attempt needs counting. */
  refusesAll(environment: EnvironmentName): boolean {
    return this.#pending.some((pending) =>
      pending.order.fault === "refuse-connection" && this.#reaches(pending, environment) &&
      pending.order.times === undefined && pending.order.probability === undefined
    )
  }

  /** Whether a connect fault that can still apply is active for the environment. */
  hasConnectFault(environment: EnvironmentName): boolean {
    return this.#pending.some((pending) =>
      isConnectFault(pending.order.fault) && this.#reaches(pending, environment) && remaining(pending) !== 0
    )
  }

  /** Whether an element gets no rates at the moment; calling this counts nothing. */
  withholdsTaxRates(environment: EnvironmentName, element: string): boolean {
    return this.#pending.some((pending) =>
      pending.order.fault === "no-tax-configuration" && this.#reaches(pending, environment) &&
      (pending.order.element === undefined || pending.order.element === element) && remaining(pending) !== 0
    )
  }
}
