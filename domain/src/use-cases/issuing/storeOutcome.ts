import { Clock, Effect, Option } from "effect"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import { isSameAttempt } from "../../operations/derivedRequestId.ts"
import { asUnknown } from "../../operations/inDoubt.ts"
import { attemptTable, lostAttemptTable, submissionTable } from "../../operations/outcomeTable.ts"
import { pauseAfterSearch } from "../../operations/nextCheck.ts"
import { type Concluded, OperationHistory, OperationStore } from "../../ports/OperationStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { AttemptConclusion } from "./conclusionOf.ts"
import { type RetryBudget, untilLeaseEnds, untilStored } from "./lease.ts"
import { triedAgain } from "./triedAgain.ts"
import { lostTo, raiseLost, raiseNumberTaken, raiseSecondReceipt } from "./raiseAttention.ts"
import type { Committed, Kept } from "./reservation.ts"

/** An attempt whose outcome is stored. */
export interface ConcludedAttempt {
  readonly operation: Operation
  /** The attempt, with the element over whose connection the outcome came. */
  readonly attempt: Attempt
  /** Stores the first commit again, after the store lost it; null where another process made it. */
  readonly again: Effect.Effect<Committed<Kept>, StoreUnavailable> | null
  /**
   * The attempt was added to a stored operation. If a failover loses such an attempt, another process may use its number; this is not possible if the
   * operation is lost too.
   */
  readonly isAdded: boolean
}

type Stored =
  | Concluded
  | { readonly _tag: "GaveUp" }
  /** The store lost the first commit, and meanwhile another request took the key or the refunded sale, or another attempt took the number. */
  | { readonly _tag: "TakenOver"; readonly holder: KeyHolder }

/** Every difference with which the receipt still counts goes to the attention list and to the log (Decisions §4). */
const logRemarks = ({ answer, attention, operationId }: AttemptConclusion) =>
  Effect.forEach(
    answer === null ? [] : attention,
    ({ detail, kind }) =>
      Effect.logWarning("the V-PFR's answer differs from what was expected", {
        kind,
        detail,
        operationId,
        invoiceNumber: answer?.pfr.invoiceNumber
      }),
    { discard: true }
  )

const isLost = (concluded: Concluded, conclusion: AttemptConclusion): boolean =>
  concluded._tag === "Missing" || (concluded._tag === "Superseded" && concluded.current.attempt < conclusion.attempt)

const storedAttempts = ({ operation }: ConcludedAttempt) =>
  Effect.flatMap(OperationHistory, (history) => history.attempts(operation.organizationId, operation.id))

/**
 * The number that the attempt has in the store. It changes where a failover lost the attempt with its document: stored again, the document has it as its
 * first one. Null where the store lost the attempt and another process's attempt has its number: this outcome does not concern that attempt.
 */
const numberNow = Effect.fnUntraced(function*(attempt: ConcludedAttempt, number: number) {
  if (attempt.again === null || !attempt.isAdded) return number
  const stored = yield* storedAttempts(attempt)
  const own = stored.find((one) => isSameAttempt(one, attempt.attempt))
  if (own !== undefined) return own.number
  return stored.some((one) => one.number === number) ? null : number
})

/** The document as it is stored. Where the store has lost it altogether, what has its key since; where nothing has, the document as this process knows it. */
const holderOf = Effect.fnUntraced(function*(operation: Operation) {
  const store = yield* OperationStore
  const { boundKey: { key, role }, environment, id, organizationId } = operation
  const stored = yield* store.get({ organizationId, environment }, id)
  if (Option.isSome(stored)) return stored.value
  const holder: Option.Option<KeyHolder> = yield* store.findByKey({ organizationId, role, key })
  return Option.getOrElse(holder, () => operation)
})

/** One try. A failover may have lost the acknowledged first commit: this process still has it, and stores it again before the outcome. */
const concludeOnce = Effect.fnUntraced(function*(attempt: ConcludedAttempt, outcome: AttemptConclusion) {
  const { again, operation } = attempt
  const store = yield* OperationStore
  const number = yield* numberNow(attempt, outcome.attempt)
  if (number === null) return { _tag: "TakenOver", holder: yield* holderOf(operation) } satisfies Stored
  const conclusion = { ...outcome, attempt: number }
  const concluded: Stored = yield* store.conclude(conclusion)
  if (again === null || !isLost(concluded, conclusion)) return concluded
  const committed = yield* again
  if (committed._tag === "Taken" && committed.existing?.id !== operation.id) {
    // An attempt that was added to an operation has no other holder: the operation itself refuses it now.
    return { _tag: "TakenOver", holder: committed.existing ?? (yield* holderOf(operation)) } satisfies Stored
  }
  const kept = committed._tag === "Kept" ? committed.kept.reservation.attempt : null
  const stored: Stored = yield* store.conclude({ ...outcome, attempt: kept?.number ?? number })
  return stored
}, (effect, { attempt: { requestId }, operation }) => triedAgain(effect, { _tag: "GaveUp" }, { operationId: operation.id, requestId }))

const concludeUntil = Effect.fnUntraced(function*(attempt: ConcludedAttempt, conclusion: AttemptConclusion, budget: RetryBudget) {
  const stored = yield* untilStored(concludeOnce(attempt, conclusion), ({ _tag }) => _tag !== "GaveUp", budget)
  if (stored._tag === "Applied" && conclusion.attention.length > 0) yield* logRemarks(conclusion)
  return stored
})

/** The answer where a receipt that the document does not have is, or may be, on the attention list: a person decides first (docs/adr/0123). */
const answerInDoubt = (current: Operation): Operation =>
  current.status === "SUBMITTING" ? current : asUnknown(current)

/** Raises a second receipt, and answers the operation; null where the store did not take the item, so that it is tried again. */
const withSecondReceipt = Effect.fnUntraced(function*(current: Operation, conclusion: AttemptConclusion, budget: RetryBudget) {
  const raised = yield* raiseSecondReceipt(current, conclusion, budget)
  if (raised === "NOTHING") return current
  return raised === "RAISED" ? answerInDoubt(current) : null
})

/** The same conclusion for an answer whose number another document has: this request's own outcome stays unknown. */
const withoutReceipt = (conclusion: AttemptConclusion): AttemptConclusion => ({
  ...conclusion,
  event: attemptTable.NO_ANSWER.event,
  attemptOutcome: "NO_ANSWER",
  failureCode: submissionTable.foreignAnswer.outcome.failureCode,
  answer: null,
  answerText: conclusion.answer?.text ?? null,
  buyerDetails: null,
  nextCheckAfterMillis: attemptTable.NO_ANSWER.searchAfterMillis,
  attention: []
})

/**
 * The V-PFR answered with a number that another document has (Decisions §4): the outcome is unknown, an attention item is raised, and the element's
 * connections are closed, because the next answer on them may be wrong too.
 */
const refuseNumber = Effect.fnUntraced(function*(
  attempt: ConcludedAttempt,
  conclusion: AttemptConclusion,
  current: Operation,
  budget: RetryBudget
) {
  const { attempt: { elementId }, operation } = attempt
  const authority = yield* TaxAuthority
  yield* authority.resetConnections({ organizationId: operation.organizationId, environment: operation.environment }, elementId)
  yield* raiseNumberTaken(current, conclusion, budget)
  // A search that found the number changes nothing: the operation is unresolved already.
  if (current.status !== "SUBMITTING") return current
  const stored = yield* concludeUntil(attempt, withoutReceipt(conclusion), budget)
  if (stored._tag === "Applied") return stored.operation
  return stored._tag === "Superseded" ? stored.current : asUnknown(operation)
})

/** A receipt of the same request is stored for the retry that has its key, if the retry has none yet. */
const adopt = (attempt: ConcludedAttempt, conclusion: AttemptConclusion, holder: Operation, budget: RetryBudget) =>
  // Attempt 0: this says nothing about the holder's own attempts, and the search for them continues.
  concludeUntil({ ...attempt, operation: holder, again: null }, {
    ...conclusion,
    operationId: holder.id,
    workflow: holder.workflow,
    attempt: 0,
    nextCheckAfterMillis: pauseAfterSearch(1)
  }, budget)

/** A receipt of the same request is stored for the retry, so that the request is not sent once more; `lostAttemptTable` decides everything else. */
const handOver = Effect.fnUntraced(function*(attempt: ConcludedAttempt, conclusion: AttemptConclusion, holder: KeyHolder, budget: RetryBudget) {
  const { adopts, answer, raises } = lostAttemptTable[lostTo(holder, attempt.operation)][conclusion.attemptOutcome]
  if (adopts && isDocument(holder)) {
    const adopted = yield* adopt(attempt, conclusion, holder, budget)
    if (adopted._tag === "GaveUp") return null
    if (adopted._tag === "Applied") return adopted.operation
    if (adopted._tag === "Superseded") return yield* withSecondReceipt(adopted.current, conclusion, budget)
  }
  const raised = yield* raiseLost(raises, holder, { operation: attempt.operation, attempt: attempt.attempt, conclusion }, budget)
  if (raised === "GAVE_UP") return null
  if (answer === "UNKNOWN" || !isDocument(holder)) return asUnknown(attempt.operation)
  return raised === "RAISED" ? answerInDoubt(holder) : holder
})

/** What the stored conclusion means; null when the store accepted nothing. */
const settle = Effect.fnUntraced(function*(attempt: ConcludedAttempt, conclusion: AttemptConclusion, budget: RetryBudget) {
  const stored = yield* concludeUntil(attempt, conclusion, budget)
  switch (stored._tag) {
    case "Applied":
      return stored.operation
    case "Superseded":
      return yield* withSecondReceipt(stored.current, conclusion, budget)
    case "NumberTaken":
      return yield* refuseNumber(attempt, conclusion, stored.current, budget)
    case "TakenOver":
      return yield* handOver(attempt, conclusion, stored.holder, budget)
    case "Missing":
    case "GaveUp":
      return null
  }
})

/** A day, at most once a minute: what this process holds in memory may be the only trace of a receipt. */
const longAfterTheLease = { millis: 24 * 3_600_000, longestPauseMillis: 60_000, mostTries: 3_000 }

/** Continues trying after the caller was answered. Without a first commit of its own, there is nothing that the search would not find again. */
const keepTrying = Effect.fnUntraced(function*(attempt: ConcludedAttempt, conclusion: AttemptConclusion) {
  const now = yield* Clock.currentTimeMillis
  const { longestPauseMillis, mostTries } = longAfterTheLease
  const stored = yield* settle(attempt, conclusion, { untilMillis: now + longAfterTheLease.millis, longestPauseMillis, mostTries })
  if (stored !== null) return
  yield* Effect.logError("an outcome was never stored", {
    operationId: conclusion.operationId,
    requestId: attempt.attempt.requestId,
    outcome: conclusion.attemptOutcome,
    invoiceNumber: conclusion.answer?.pfr.invoiceNumber
  })
})

/**
 * Commit 2: stores the outcome of an attempt and answers the operation as it is afterwards. It never fails: what cannot be stored before
 * `untilMillis` (epoch, the end of the lease) is answered as an unknown outcome, and storing it is retried in the background.
 */
export const storeOutcome = Effect.fnUntraced(function*(attempt: ConcludedAttempt, conclusion: AttemptConclusion, untilMillis: number) {
  const stored = yield* settle(attempt, conclusion, untilLeaseEnds(untilMillis))
  if (stored !== null) return stored
  if (attempt.again !== null && attemptTable[conclusion.attemptOutcome].keepsTrying) yield* Effect.forkDetach(keepTrying(attempt, conclusion))
  return asUnknown(attempt.operation)
})
