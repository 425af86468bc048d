import type { StoredOperation } from "@overa/adapter-memory"
import type { FaultyStore } from "./FaultyStore.ts"
import type { SimulatedCases } from "./SimulatedCases.ts"
import type { SimulatedCounterWatch } from "./SimulatedCounterWatch.ts"
import type { SimulatedOffers } from "./SimulatedOffers.ts"
import type { SimulatedRefunds } from "./SimulatedRefunds.ts"
import type { SimulatedShop } from "./SimulatedShop.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"

/** A world that has come to rest, as the checks look at it. */
export interface FinishedRun {
  /** Boots of hosts that are running. */
  readonly alive: ReadonlySet<string>
  readonly store: FaultyStore
  readonly vpfr: SimulatedVpfr
  readonly shop: SimulatedShop
  readonly refunds: SimulatedRefunds
  readonly cases: SimulatedCases
  readonly offers: SimulatedOffers
  readonly watch: SimulatedCounterWatch
}

/** A broken promise of the service, in words. */
export type Violation = string

/**
 * A failover lost an attempt of the order, and either the process that made it has died since, or a second failover lost what that process
 * wrote of it on the attention list: nobody is left who knows of it.
 */
export const isForgotten = ({ alive, store }: FinishedRun, key: string): boolean => {
  const writers = [...store.lostReservations.get(key) ?? []]
  return writers.some((boot) => !alive.has(boot)) || (writers.length > 0 && store.lostItems.has(key))
}

/**
 * A failover lost an attempt of the key, its repetition was sent too, and both receipts are known here: one is the operation's, the other
 * is on its attention list. What adds up the key's receipts at the V-PFR finds one too many.
 */
export const isKnownTwice = ({ store }: FinishedRun, { attention }: StoredOperation, key: string): boolean =>
  store.lostReservations.has(key) && attention.some(({ kind }) => kind === "SECOND_RECEIPT" || kind === "LOST_ATTEMPT")
