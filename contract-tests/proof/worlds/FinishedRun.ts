import type { StoredOperation } from "@overa/adapter-memory"
import { orderKeyOf, type SimulatedReceipt } from "./SimulatedVpfr.ts"
import type { Stage } from "./stage.ts"

/** A finished world, as the checks read it: the pieces of its stage, and how it stands at its end. */
export interface FinishedRun extends Omit<Stage, "world"> {
  /** The true time at its end. */
  readonly now: number
  /** The processes of hosts that are running. */
  readonly alive: ReadonlySet<string>
  /** The orders of the world's end, by their keys. */
  readonly lastOrders: ReadonlyArray<string>
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

/** Why a key may have more than one receipt; each excuse names what was lost. */
export type Excuse = "a failover lost the attempt" | "a restore lost the attempt, and no caller kept it" | "the network kept the request for hours"

/** The excuse for a second receipt of a key, null where there is none. Every receipt must be known or told to a person all the same (`checkReceipts`). */
export const excuseOf = ({ restore, store, vpfr }: FinishedRun, key: string): Excuse | null => {
  if (vpfr.receiptsOf(key).filter(({ isTooLate }) => !isTooLate).length <= 1) return "the network kept the request for hours"
  if (!store.lostReservations.has(key)) return null
  return restore.lost.some((lost) => lost.key === key) ? "a restore lost the attempt, and no caller kept it" : "a failover lost the attempt"
}

/** The second receipts of a world, by what excuses them. */
export const excusedIn = (run: FinishedRun): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const key of new Set(run.vpfr.receipts.map((receipt) => receipt.key))) {
    const more = run.vpfr.receiptsOf(key).length - 1
    const excuse = more > 0 ? excuseOf(run, key) : null
    const name = `second receipts: ${excuse}`
    if (excuse !== null) counts[name] = (counts[name] ?? 0) + more
  }
  return counts
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

/** Whether a host had passed its checks before a moment, and stood still before it stored or sent what it does now. */
export const stoodStillOver = (
  { hosts }: FinishedRun,
  { at, checkedBefore, marginMillis }: { readonly checkedBefore: number; readonly at: number; readonly marginMillis: number }
): boolean => hosts.some(({ pauses }) => pauses.some(({ from, until }) => from < checkedBefore + marginMillis && at < until + marginMillis))
