import type { StoredOperation } from "@overa/adapter-memory"
import { counterOf } from "@overa/domain"
import { gapsOf, isIn, isWaitedFor } from "./checkCounters.ts"
import { type FinishedRun, knownNumber, type Violation } from "./FinishedRun.ts"
import type { SimulatedReceipt } from "./SimulatedVpfr.ts"

/** On the attention list: by its number, or by the RequestId of an attempt without an answer. */
export const isRaised = (stored: StoredOperation, { invoiceNumber, requestId }: Pick<SimulatedReceipt, "invoiceNumber" | "requestId">): boolean =>
  stored.attention.some(({ detail, evidence }) =>
    detail.includes(invoiceNumber) || detail.includes(requestId) || evidence?.includes(`"${invoiceNumber}"`) === true
  )

/**
 * A failover lost an attempt of the key, and the attention list has an item that names this receipt's counter as missing. The counting of an element
 * begins with the first of its receipts that the service knows: what a failover lost before it, nothing can miss. Also missing is the counter of a
 * receipt that the service knows under another's number, because the answer to an identical document came in its place.
 *
 * Or the item is still to come: the service knows that this number is missing, and a document in doubt was sent that may have it. Nobody can know yet that
 * it has not, for the lost attempt, the only other one that may have it, is known to nobody. Once that document's outcome is known, the number is raised;
 * that no more numbers are waited for than documents are in doubt, `checkCounters` says.
 */
export const isMissed = (run: FinishedRun, key: string, receipt: SimulatedReceipt): boolean => {
  const { store, watch } = run
  const counted = counterOf(receipt.invoiceNumber)
  if (counted === null) return false
  const isRaisedAsMissing = gapsOf(store, counted.series).some(isIn(counted.counter))
  if (!store.lostReservations.has(key)) return isRaisedAsMissing && knownNumber(run, receipt) !== receipt.invoiceNumber
  return isRaisedAsMissing || counted.counter <= (watch.begins.get(counted.series) ?? Infinity) || isWaitedFor(run, receipt.invoiceNumber)
}

/** A difference of taxes says nothing of what was lost. */
const tellsOfLoss = ({ kind }: StoredOperation["attention"][number]): boolean => kind !== "TAX_DIFFERS"

/** Whether a person is told of one of these receipts, or will be when a document in doubt is settled, or has an item about one of these documents. */
export const isPersonTold = (run: FinishedRun, receipts: ReadonlyArray<SimulatedReceipt>, ids: ReadonlyArray<string>): boolean => {
  const all = [...run.store.memory.byId.values()]
  return all.some(({ attention, operation }) => attention.some(tellsOfLoss) && ids.includes(operation.id)) ||
    receipts.some((receipt) => isMissed(run, receipt.key, receipt) || all.some((stored) => isRaised(stored, receipt)))
}

/** What a failover or a restore lost of a key, in words; null where it lost nothing. */
export const lostOf = ({ store }: FinishedRun, key: string): string | null => {
  if (store.lostReservations.has(key)) return "an attempt"
  return store.lostOutcomes.has(key) ? "an outcome" : null
}

/** What is wrong in a world: broken, or excused by what was lost, of which a person has an item. */
export interface Judged {
  readonly broken: ReadonlyArray<Violation>
  /** What was lost; null where nothing is wrong, or nothing excuses it. */
  readonly excuse: string | null
}

/** What a broken promise is about. */
export interface Concerned {
  readonly keys: ReadonlySet<string>
  /** Documents of these keys. */
  readonly ids: ReadonlyArray<string>
}

/** What is wrong about some keys is excused by what was lost of one of them, and by nothing else; a person must be told of a receipt or a document of theirs. */
export const judge = (run: FinishedRun, wrong: ReadonlyArray<Violation>, { ids, keys }: Concerned, lostOfKey = lostOf): Judged => {
  const lost = wrong.length === 0 ? undefined : [...keys].map((key) => lostOfKey(run, key)).find((of) => of !== null)
  if (lost === undefined || lost === null) return { broken: wrong, excuse: null }
  const isTold = isPersonTold(run, run.vpfr.receipts.filter(({ key }) => keys.has(key)), ids)
  return { broken: isTold ? [] : wrong.map((violation) => `${violation}; ${lost} was lost, and nobody was told`), excuse: lost }
}

/** How often something is excused, by what was lost. */
export const countExcuses = (what: string, judged: ReadonlyArray<Judged>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { excuse } of judged) {
    const name = `${what}: ${excuse} was lost`
    if (excuse !== null) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
