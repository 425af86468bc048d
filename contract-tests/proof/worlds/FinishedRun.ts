import type { StoredOperation } from "@overa/adapter-memory"
import type { FaultyStore } from "./FaultyStore.ts"
import type { SimulatedCases } from "./SimulatedCases.ts"
import type { SimulatedCounterWatch } from "./SimulatedCounterWatch.ts"
import type { SimulatedOffers } from "./SimulatedOffers.ts"
import type { SimulatedRefunds } from "./SimulatedRefunds.ts"
import type { SimulatedShop } from "./SimulatedShop.ts"
import { orderKeyOf, type SimulatedReceipt, type SimulatedVpfr } from "./SimulatedVpfr.ts"

/** A finished world, as the checks read it. */
export interface FinishedRun {
  /** The processes of hosts that are running. */
  readonly alive: ReadonlySet<string>
  readonly store: FaultyStore
  readonly vpfr: SimulatedVpfr
  readonly shop: SimulatedShop
  readonly refunds: SimulatedRefunds
  readonly cases: SimulatedCases
  readonly offers: SimulatedOffers
  readonly watch: SimulatedCounterWatch
}

/** A broken guarantee of the service, in words. */
export type Violation = string

/**
 * A failover lost an attempt of the order, and either the process that made it has crashed since, or a second failover lost what that process stored
 * of it again, its outcome or its item of the attention list: nothing knows of the attempt any more.
 */
export const isForgotten = ({ alive, store }: FinishedRun, key: string): boolean => {
  const writers = [...store.lostReservations.get(key) ?? []]
  return writers.some((boot) => !alive.has(boot)) || (writers.length > 0 && (store.lostItems.has(key) || store.lostOutcomes.has(key)))
}

/** The stored document of a key. */
export const documentUnder = ({ store }: FinishedRun, key: string): StoredOperation | undefined =>
  [...store.memory.byId.values()].find(({ operation }) => orderKeyOf(operation.content) === key)

/**
 * The number under which the service knows a receipt: its own, or that of the receipt whose answer came in its place. Answers to identical documents
 * cannot be distinguished.
 */
export const knownNumber = (run: FinishedRun, { invoiceNumber, key }: SimulatedReceipt): string => {
  const held = documentUnder(run, key)?.operation.answer?.pfr.invoiceNumber
  return held !== undefined && run.vpfr.answeredWith.get(invoiceNumber) === held ? held : invoiceNumber
}

/**
 * A failover lost an attempt of the key, its repetition was sent too, and both receipts are known here: one belongs to the operation, the other is on
 * its attention list. A sum of the key's receipts at the V-PFR is then one too high.
 */
export const isKnownTwice = ({ store }: FinishedRun, { attention }: StoredOperation, key: string): boolean =>
  store.lostReservations.has(key) && attention.some(({ kind }) => kind === "SECOND_RECEIPT" || kind === "LOST_ATTEMPT")
