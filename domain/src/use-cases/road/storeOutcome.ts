import { Clock, Effect } from "effect"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { SecurityElementId } from "../../tenancy/identifiers.ts"
import type { Operation } from "../../operations/Operation.ts"
import { type Concluded, type Conclusion, OperationStore, UnresolvedOperations } from "../../ports/OperationStore.ts"

type Stored = Concluded | { readonly _tag: "GaveUp" }

/** Pauses double from 50 ms to a second, so that this many tries outlast every lease, also under a clock that is set back. */
const mostTries = 100

/** Tries again, more and more slowly, until it is stored or the attempt's lease has ended. */
const untilStored = Effect.fnUntraced(function*<A, R>(
  attempt: Effect.Effect<A, never, R>,
  isStored: (outcome: A) => boolean,
  untilMillis: number
) {
  let pause = 50
  for (let tries = 1;; tries++) {
    const outcome = yield* attempt
    const now = yield* Clock.currentTimeMillis
    if (isStored(outcome) || now + pause >= untilMillis || tries === mostTries) return outcome
    yield* Effect.sleep(pause)
    pause = Math.min(pause * 2, 1_000)
  }
})

/** Every difference that leaves the receipt standing is on the attention list and in the log (Decisions §4). */
const logRemarks = ({ answer, attention, operationId }: Conclusion) =>
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

/** What cannot be stored in time is found again by the search at the V-PFR. */
const concludeUntil = Effect.fnUntraced(function*(conclusion: Conclusion, untilMillis: number) {
  const store = yield* OperationStore
  const conclude = store.conclude(conclusion).pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeed<Stored>({ _tag: "GaveUp" }))
  )
  const stored = yield* untilStored(conclude, (outcome) => outcome._tag !== "GaveUp", untilMillis)
  if (stored._tag === "Applied" && conclusion.attention.length > 0) yield* logRemarks(conclusion)
  return stored
})

/** What we hold in hand when the store took nothing: never a receipt, never retryable (Decisions §4, Store trouble). */
const unknownOutcome = (operation: Operation): Operation => ({
  ...operation,
  status: "OUTCOME_UNKNOWN",
  failureCode: "OUTCOME_UNKNOWN",
  answer: null
})

/** Puts something on the attention list; tried as long as the outcome itself, for it may be all that is left of a receipt. */
const raise = Effect.fnUntraced(function*(conclusion: Conclusion, kind: string, detail: string, untilMillis: number) {
  const unresolved = yield* UnresolvedOperations
  const item = { kind, detail, evidence: conclusion.answer?.text ?? conclusion.answerText }
  const raised = unresolved.raise(
    { organizationId: conclusion.organizationId, operationId: conclusion.operationId },
    [item],
    conclusion.at
  ).pipe(Effect.as(true), Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)))
  if (!(yield* untilStored(raised, (done) => done, untilMillis))) {
    yield* Effect.logError("attention item not stored", { kind, detail, operationId: conclusion.operationId })
  }
})

/**
 * A receipt for an operation whose status no longer takes one: the same receipt is no news, another one is a second receipt and
 * goes to the attention list with the answer as evidence (Decisions §4).
 */
const keepSecondReceipt = Effect.fnUntraced(function*(conclusion: Conclusion, current: Operation, untilMillis: number) {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number === undefined || current.answer?.pfr.invoiceNumber === number) return
  yield* raise(
    conclusion,
    "SECOND_RECEIPT",
    `the V-PFR signed ${number} for attempt ${conclusion.attempt}, but the operation is ${current.status}${
      current.answer === null ? "" : ` with ${current.answer.pfr.invoiceNumber}`
    }`,
    untilMillis
  )
})

/** The same conclusion for an answer whose number is another document's: this request's own outcome stays unknown. */
const withoutReceipt = (conclusion: Conclusion): Conclusion => ({
  ...conclusion,
  event: "noAnswer",
  attemptOutcome: "NO_ANSWER",
  failureCode: "OUTCOME_UNKNOWN",
  answer: null,
  answerText: conclusion.answer?.text ?? null,
  buyerDetails: null,
  nextCheckAfterMillis: 0,
  attention: []
})

/**
 * The V-PFR answered with a number that another document holds (Decisions §4): unknown, for a person to look at, and no reason to
 * believe the next answer on that connection.
 */
const refuseNumber = Effect.fnUntraced(function*(held: Held, conclusion: Conclusion, current: Operation, untilMillis: number) {
  const number = conclusion.answer?.pfr.invoiceNumber ?? ""
  const { elementId, operation } = held
  const authority = yield* TaxAuthority
  yield* authority.distrust({ organizationId: operation.organizationId, environment: operation.environment }, elementId)
  yield* raise(conclusion, "NUMBER_ALREADY_STORED", `the V-PFR answered ${number}, which is another document's number`, untilMillis)
  // A search that found the number changes nothing: the operation is unresolved already.
  if (current.status !== "SUBMITTING") return current
  const stored = yield* concludeUntil(withoutReceipt(conclusion), untilMillis)
  if (stored._tag === "Applied") return stored.operation
  return stored._tag === "Superseded" ? stored.current : unknownOutcome(held.operation)
})

interface Held {
  readonly operation: Operation
  /** The element whose connection brought the outcome. */
  readonly elementId: SecurityElementId
  /** Writes the first commit again. */
  readonly again: Effect.Effect<unknown, unknown>
}

/** A failover lost the acknowledged first commit of this attempt; we still hold it, so it is written again before the outcome. */
const storeAgain = Effect.fnUntraced(function*(held: Held, conclusion: Conclusion, untilMillis: number) {
  yield* Effect.exit(held.again)
  const stored = yield* concludeUntil(conclusion, untilMillis)
  if (stored._tag === "Applied") return stored.operation
  if (stored._tag !== "Superseded" || stored.current.attempt < conclusion.attempt) return unknownOutcome(held.operation)
  yield* keepSecondReceipt(conclusion, stored.current, untilMillis)
  return stored.current
})

/**
 * Commit 2: stores what became of an attempt and answers the operation as it then stands. It never fails: what cannot be stored
 * before `untilMillis` (epoch, the end of the lease) is answered as an unknown outcome.
 */
export const storeOutcome = Effect.fnUntraced(function*(
  reservation: Held,
  conclusion: Conclusion,
  untilMillis: number
) {
  const stored = yield* concludeUntil(conclusion, untilMillis)
  switch (stored._tag) {
    case "Applied":
      return stored.operation
    case "Superseded":
      if (stored.current.attempt < conclusion.attempt) return yield* storeAgain(reservation, conclusion, untilMillis)
      yield* keepSecondReceipt(conclusion, stored.current, untilMillis)
      return stored.current
    case "NumberTaken":
      return yield* refuseNumber(reservation, conclusion, stored.current, untilMillis)
    case "Missing":
      return yield* storeAgain(reservation, conclusion, untilMillis)
    case "GaveUp":
      return unknownOutcome(reservation.operation)
  }
})
