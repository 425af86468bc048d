import { isDueToBeSent, mayHaveArrived, nextStatus, retryableOf } from "@overa/domain"
import { DateTime, Result } from "effect"
import { checkCases } from "./checkCases.ts"
import { checkCounters } from "./checkCounters.ts"
import { checkOffers } from "./checkOffers.ts"
import { checkPlace } from "./checkPlace.ts"
import { checkRates } from "./checkRates.ts"
import { checkRefunds } from "./checkRefunds.ts"
import { checkRestore } from "./checkRestore.ts"
import type { FaultyStore } from "./FaultyStore.ts"
import { documentUnder, excuseOf, type FinishedRun, isForgotten, type Violation } from "./FinishedRun.ts"
import type { Heard } from "./SimulatedShop.ts"
import { orderKeyOf, type SimulatedReceipt } from "./SimulatedVpfr.ts"
import { isMissed, isRaised } from "./told.ts"

const searchPeriodMillis = 7 * 24 * 3_600_000

/** The hosts' clocks may be wrong. */
const marginMillis = 3_600_000

type Stored = ReturnType<FaultyStore["memory"]["byId"]["get"]>

const visiblyUnresolved = (stored: NonNullable<Stored>): boolean =>
  stored.operation.status === "OUTCOME_UNKNOWN" || stored.operation.status === "RECONCILING"

/**
 * Exchanged answers of identical sales cannot be distinguished when they arrive. They must not stay hidden: along the chain of exchanges, the sale
 * that is left without a number is visibly unresolved, with that number on the attention list. If a failover lost that sale's attempt, the receipt that
 * nobody holds is on the list by its missing counter, or the service waits for it: that no more is missing than is in doubt, `checkCounters` says.
 */
const isMixUpRaised = (run: FinishedRun, holder: NonNullable<Stored>, unheld: SimulatedReceipt): boolean => {
  const passed = new Set<string>()
  for (let held = holder.operation.answer?.pfr.invoiceNumber; held !== undefined && !passed.has(held);) {
    passed.add(held)
    const number = held
    const receipt = run.vpfr.receipts.find(({ invoiceNumber }) => invoiceNumber === number)
    const left = receipt === undefined ? undefined : documentUnder(run, receipt.key)
    if (left !== undefined && receipt !== undefined && visiblyUnresolved(left)) return isRaised(left, receipt)
    if (receipt !== undefined && isMissed(run, receipt.key, unheld)) return true
    held = left?.operation.answer?.pfr.invoiceNumber
  }
  return false
}

/**
 * Every order's receipts: at most one; each known here or visibly unresolved. Where a failover lost an attempt whose process still runs, the order
 * may have been sent once more meanwhile; then both receipts are known here. The same where the network kept a request for hours.
 */
const checkReceipts = (run: FinishedRun): ReadonlyArray<Violation> => {
  const { store, vpfr } = run
  const all = [...store.memory.byId.values()]
  const byKey = new Map(all.map((stored) => [orderKeyOf(stored.operation.content), stored]))
  const held = new Set(all.map(({ operation }) => operation.answer?.pfr.invoiceNumber))
  const keys = [...new Set(vpfr.receipts.map((receipt) => receipt.key))]
  return keys.flatMap((key) => {
    const receipts = vpfr.receiptsOf(key)
    const stored = byKey.get(key)
    const doubled = receipts.length > 1 && excuseOf(run, key) === null ? [`${key} has ${receipts.length} receipts at the V-PFR`] : []
    const lost = receipts.filter((receipt) =>
      !held.has(receipt.invoiceNumber) &&
      !all.some((one) => isRaised(one, receipt)) && !isMissed(run, key, receipt) &&
      (stored === undefined || !(visiblyUnresolved(stored) || isMixUpRaised(run, stored, receipt)))
    )
    return [...doubled, ...lost.map(({ invoiceNumber }) => `${key}: receipt ${invoiceNumber} is neither FISCALIZED here nor visibly unresolved`)]
  })
}

/** Nothing is FISCALIZED here that is missing at the V-PFR, and no number occurs twice. */
const checkInvented = ({ store, vpfr }: FinishedRun): ReadonlyArray<Violation> => {
  const numbers = new Map<string, string>()
  const known = new Set(vpfr.receipts.map((receipt) => receipt.invoiceNumber))
  return [...store.memory.byId.values()].flatMap(({ operation }) => {
    const number = operation.answer?.pfr.invoiceNumber
    if (number === undefined) return operation.status === "FISCALIZED" ? [`${operation.id} is FISCALIZED without an answer`] : []
    const twice = numbers.get(number)
    numbers.set(number, operation.id)
    return [
      ...(known.has(number) ? [] : [`${operation.id} holds ${number}, which the V-PFR never signed`]),
      ...(twice === undefined ? [] : [`${number} is held by ${twice} and ${operation.id}`]),
      ...(operation.status === "FISCALIZED" ? [] : [`${operation.id} is ${operation.status} with a receipt`])
    ]
  })
}

/** Every stored transition is in the table, and starts from the status where the previous one ended; at the end nothing is left SUBMITTING. */
const checkLives = ({ store }: FinishedRun): ReadonlyArray<Violation> =>
  [...store.memory.byId.values()].flatMap(({ operation, transitions }) => {
    const broken = transitions.slice(1).flatMap((transition, index) => {
      const before = transitions[index]
      const legal = transition.from !== null && before?.to === transition.from &&
        Result.getOrUndefined(nextStatus(transition.from, transition.cause)) === transition.to
      return legal ? [] : [`${operation.id}: ${before?.to} then ${transition.from} -${transition.cause}-> ${transition.to}`]
    })
    const stuck = operation.status === "SUBMITTING" ? [`${operation.id} is still SUBMITTING when all is calm`] : []
    return [...broken, ...stuck]
  })

/** Every attempt that may have arrived is searched for seven days, and so an unknown outcome has a next check while its newest attempt is younger (Decisions §4). */
export const checkSearched = ({ now, store }: Pick<FinishedRun, "now" | "store">): ReadonlyArray<Violation> =>
  [...store.memory.byId.values()].flatMap((stored) => {
    const newest = stored.attempts.findLast(mayHaveArrived)
    const isSearched = newest === undefined || now - DateTime.toEpochMillis(newest.startedAt) >= searchPeriodMillis - marginMillis
    // A search that found a number of another document would find it again: its item asks a person.
    const isTold = stored.attention.some(({ isAcknowledged, kind }) => kind === "NUMBER_ALREADY_STORED" && !isAcknowledged)
    const rests = visiblyUnresolved(stored) && stored.operation.inDoubt === undefined && stored.nextCheckAt === null && stored.leaseUntil === null && !isTold
    return rests && !isSearched ? [`${stored.operation.id} is ${stored.operation.status} and is not searched for any more`] : []
  })

/** What the service sends by itself has a next check for as long as it is not sent, or it would rest unnoticed. */
const checkNext = ({ store }: FinishedRun): ReadonlyArray<Violation> =>
  [...store.memory.byId.values()].flatMap(({ leaseUntil, nextCheckAt, operation }) =>
    isDueToBeSent({ ...operation, status: operation.inDoubt ?? operation.status }) && nextCheckAt === null && leaseUntil === null ? [`${operation.id} is ${operation.status}, sent by the service, and has no next check`] : []
  )

/** A failover lost the reservation of one of the two: the repetition is a new document, and the lost one was never reported as a receipt. */
const isOfLostDocument = ({ store }: FinishedRun, key: string, ...ids: ReadonlyArray<string>): boolean => {
  const kept = new Set<string>(store.memory.byId.keys())
  return store.lostReservations.has(key) && !ids.every((id) => kept.has(id))
}

/**
 * A failover lost an attempt of the key, whose process has told nobody of it yet: the answer came before its item was raised, or before its receipt was
 * stored (docs/adr/0123).
 */
const wasNotKnownYet = ({ store, vpfr }: FinishedRun, stored: Stored, { heardAt, order: { key } }: Heard): boolean =>
  stored !== undefined && store.lostReservations.has(key) &&
  (heardAt < (store.doubtSince.get(stored.operation.id) ?? 0) || vpfr.receiptsOf(key).every(({ invoiceNumber }) => stored.operation.answer?.pfr.invoiceNumber === invoiceNumber))

/** What callers were told stays true: a receipt remains the same receipt, "retryable" was safe, a key has one document, of the body that was sent. */
const checkAnswers = (run: FinishedRun): ReadonlyArray<Violation> => {
  const { shop, store } = run
  const documents = new Map<string, string>()
  return shop.heard.filter(({ order }) => !isForgotten(run, order.key)).flatMap((heard) => {
    const { order, documentId, status, number } = heard
    const first = documents.get(order.key) ?? documentId
    documents.set(order.key, first)
    const stored = [...store.memory.byId.values()].find(({ operation }) => operation.id === documentId)
    const kept = stored?.operation.answer?.pfr.invoiceNumber === number ||
      // The outcome was lost with the database: after a new search it is unknown, or the receipt of this same request.
      (store.lostOutcomes.has(order.key) && stored !== undefined &&
        (visiblyUnresolved(stored) || stored.operation.status === "FISCALIZED"))
    // Another caller of the same key may drive the operation again while this answer is in transit; that is a later attempt.
    const isLatest = stored?.operation.attempt === heard.attempt
    const wronglyRetryable = heard.saidRetryable && isLatest && (heard.receiptsThen > 0 || heard.wanderingThen > 0) && !wasNotKnownYet(run, stored, heard)
    return [
      ...(first === documentId || isOfLostDocument(run, order.key, first, documentId) ? [] : [`${order.key} was answered with two documents`]),
      ...(heard.isOfItsBody ? [] : [`${order.key} was answered with the document of another body`]),
      ...(status === "FISCALIZED" && !kept ? [`${order.key}: FISCALIZED ${number} was told and is not kept`] : []),
      ...(status === "SUBMITTING" || status === "RECEIVED" ? [`${order.key}: a POST answered ${status}`] : []),
      ...(wronglyRetryable ? [`${order.key} was called retryable with ${heard.receiptsThen} receipts and ${heard.wanderingThen} under way`] : [])
    ]
  })
}

/** At the end too: a retryable operation has no receipt. */
const checkRetryable = (run: FinishedRun): ReadonlyArray<Violation> =>
  [...run.store.memory.byId.values()].flatMap(({ operation }) => {
    const key = orderKeyOf(operation.content)
    const retryable = retryableOf(operation.status, operation.failureCode) && !isForgotten(run, key)
    return retryable && run.vpfr.receiptsOf(key).length > 0 ? [`${key} is retryable and has a receipt`] : []
  })

/** A conflict is right only when the key is bound to the other body, or was: in a document that a failover lost. */
const checkConflicts = ({ store, shop }: FinishedRun): ReadonlyArray<Violation> => [
  ...shop.conflicts.filter(({ digest, order }) =>
    [...store.lostBodies.get(order.key) ?? []].every((lost) => lost === digest) && [...store.memory.byKey.values()].some((id) => {
      const boundKey = store.memory.byId.get(id)?.operation.boundKey
      return boundKey?.key === order.key && boundKey.fingerprint.digest === digest
    })
  ).map(({ order }) => `${order.key}: the same request conflicted with itself`),
  ...shop.faults
]

export const checkRun = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...checkReceipts(run),
  ...run.store.strangers,
  ...run.store.doubts.faults,
  ...run.hosts.flatMap(({ workerFaults }) => workerFaults),
  ...checkInvented(run),
  ...checkLives(run),
  ...checkNext(run),
  ...checkSearched(run),
  ...checkAnswers(run),
  ...checkRetryable(run),
  ...checkConflicts(run),
  ...checkRefunds(run),
  ...checkCases(run),
  ...checkOffers(run),
  ...checkCounters(run),
  ...checkRestore(run),
  ...checkRates(run),
  ...checkPlace(run)
]
