import type { StoredOperation } from "@overa/adapter-memory"
import { counterOf } from "@overa/domain"
import { gapsOf, isIn } from "./checkCounters.ts"
import type { FinishedRun } from "./FinishedRun.ts"
import type { SimulatedReceipt } from "./SimulatedVpfr.ts"

/** On the attention list: by its number, or by the RequestId of an attempt without an answer. */
export const isRaised = (stored: StoredOperation, { invoiceNumber, requestId }: Pick<SimulatedReceipt, "invoiceNumber" | "requestId">): boolean =>
  stored.attention.some(({ detail, evidence }) =>
    detail.includes(invoiceNumber) || detail.includes(requestId) || evidence?.includes(`"${invoiceNumber}"`) === true
  )

/**
 * A failover lost an attempt of the key, and the attention list has an item that names this receipt's counter as missing. The counting of an element
 * begins with the first of its receipts that the service knows: what a failover lost before it, nothing can miss.
 */
export const isRaisedAsMissing = ({ store, watch }: FinishedRun, key: string, { invoiceNumber }: SimulatedReceipt): boolean => {
  const counted = counterOf(invoiceNumber)
  if (counted === null || !store.lostReservations.has(key)) return false
  return gapsOf(store, counted.series).some(isIn(counted.counter)) || counted.counter <= (watch.begins.get(counted.series) ?? Infinity)
}

/** Whether a person is told of one of these receipts, or has an item about one of these documents. */
export const isPersonTold = (run: FinishedRun, receipts: ReadonlyArray<SimulatedReceipt>, ids: ReadonlyArray<string>): boolean => {
  const all = [...run.store.memory.byId.values()]
  return all.some(({ attention, operation }) => attention.length > 0 && ids.includes(operation.id)) ||
    receipts.some((receipt) => isRaisedAsMissing(run, receipt.key, receipt) || all.some((stored) => isRaised(stored, receipt)))
}

/** What a failover or a restore lost of a key, in words; null where it lost nothing. */
export const lostOf = ({ store }: FinishedRun, key: string): string | null => {
  if (store.lostReservations.has(key)) return "an attempt"
  return store.lostOutcomes.has(key) ? "an outcome" : null
}
