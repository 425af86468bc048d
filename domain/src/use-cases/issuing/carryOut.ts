import { Cause, DateTime, Effect, Option, Result } from "effect"
import type { SubmissionOutcome } from "../../documents/PfrResult.ts"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import { isCarriedOnByService } from "../../operations/carriedOnByService.ts"
import { submissionOutcome } from "../../operations/outcomeTable.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { type OpenedElement, type SubmissionNotPossible, TaxRates } from "../../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import { ElementContacts, InFlight } from "./InFlight.ts"
import { leaseMillis, millisSince, type Moment, SubmissionPolicy, thisMoment } from "./lease.ts"
import { concludeUnsent, conclusionOf } from "./conclusionOf.ts"
import { type LookedUp, lookUpBuyer } from "./lookUpBuyer.ts"
import { comparedRates } from "./draftDocument.ts"
import type { Committed, FirstCommit, Kept } from "./reservation.ts"
import { storeOutcome } from "./storeOutcome.ts"

export type Opened = Result.Result<OpenedElement, SubmissionNotPossible>

/** One attempt from its first commit to its stored outcome. */
export interface AttemptToCarryOut<K extends Kept, Refusal> {
  readonly firstCommit: FirstCommit<K, Refusal>
  /** The element, opened before the first commit; where it could not be opened nothing is sent. */
  readonly opened: Opened
  readonly callerGone: AbortSignal
  /** Who sends, as the outcome's transition names it. */
  readonly actor: string
  /** An earlier attempt may have reached the V-PFR: the search for it continues. */
  readonly earlierUnresolved: boolean
}

export type CarriedOut<K> =
  /** The document after its outcome was stored, or as it was stored unsent. */
  | { readonly _tag: "CarriedOut"; readonly operation: Operation; readonly kept: K }
  | { readonly _tag: "Taken"; readonly existing: KeyHolder | null }
  /** The store lost the attempt after it was sent, and another operation has its key, which now answers instead. */
  | { readonly _tag: "TakenOver"; readonly operation: Operation }

/**
 * A first commit that the store did not confirm is read again. If it is not found, nothing is sent (Decisions §4, Store trouble), and that fact is
 * stored as soon as possible.
 */
const rereadUnconfirmed = Effect.fnUntraced(function*<K extends Kept, E>(
  attempt: AttemptToCarryOut<K, E>,
  leaseFrom: Moment,
  error: StoreUnavailable
) {
  if (error.committed === "no") return yield* error
  const { firstCommit } = attempt
  const found = yield* Effect.result(firstCommit.reread)
  if (Result.isSuccess(found) && Option.isSome(found.success)) return Result.succeed(found.success.value)
  if (firstCommit.offered.attempt !== null) yield* Effect.forkDetach(concludeUnsent(attempt, leaseFrom))
  return yield* error
})

const attemptOnce = Effect.fnUntraced(function*<K extends Kept, E>(attempt: AttemptToCarryOut<K, E>) {
  const { firstCommit, opened } = attempt
  const buyerDetails = yield* lookUpBuyer(firstCommit.buyer, firstCommit.offered.operation.buyerDetails, Result.isSuccess(opened))
  const leaseFrom = yield* thisMoment
  const decided = yield* firstCommit.commit.pipe(
    Effect.catchTag("StoreUnavailable", (error) => rereadUnconfirmed(attempt, leaseFrom, error))
  )
  const committed: Committed<K> = yield* Effect.fromResult(decided)
  if (committed._tag === "Taken") return committed
  const { kept } = committed
  const { operation, attempt: reserved } = kept.reservation
  if (reserved === null || Result.isFailure(opened)) return { _tag: "CarriedOut", operation, kept } satisfies CarriedOut<K>
  const stored = yield* submitReserved({
    operation,
    attempt: reserved,
    element: opened.success,
    // Only the commit decides what the first document of a closing is.
    taxRates: yield* comparedRates(operation, reserved.elementId, operation.content),
    callerGone: attempt.callerGone,
    actor: attempt.actor,
    leaseFrom,
    buyerDetails,
    earlierUnresolved: attempt.earlierUnresolved,
    isAdded: kept.reservation.transitions[0]?.from !== null,
    reserveAgain: firstCommit.again(kept)
  })
  return stored.id === operation.id
    ? { _tag: "CarriedOut", operation: stored, kept } satisfies CarriedOut<K>
    : { _tag: "TakenOver", operation: stored } satisfies CarriedOut<K>
})

const storedBy = (done: CarriedOut<unknown>): Operation | null => (done._tag === "CarriedOut" ? done.operation : null)

/**
 * Reserves an attempt, submits it and stores its outcome: the only code that sends anything. Not interruptible, so that from the first commit on only
 * the outcome counts (Decisions §4).
 *
 * Fails with the first commit's refusal, which stored nothing, and with `StoreUnavailable` where the first commit was not confirmed.
 */
export const carryOut = Effect.fnUntraced(function*<K extends Kept, E>(attempt: AttemptToCarryOut<K, E>) {
  const inFlight = yield* InFlight
  const { operation } = attempt.firstCommit.offered
  const done: CarriedOut<K> = yield* inFlight.during(operation.id, attemptOnce(attempt), storedBy)
  return done
}, Effect.uninterruptible)

/** An attempt whose first commit is durable, with everything that sending it needs. */
export interface ReservedSubmission {
  readonly operation: Operation
  readonly attempt: Attempt
  readonly element: OpenedElement
  readonly taxRates: TaxRateGroup | null
  readonly callerGone: AbortSignal
  readonly actor: string
  /** Just before the first commit was sent: the lease began no earlier. */
  readonly leaseFrom: Moment
  /** What the company register has answered by the time it is asked for. */
  readonly buyerDetails: LookedUp
  /** An earlier attempt may have reached the V-PFR: the search for it continues. */
  readonly earlierUnresolved: boolean
  /** The attempt was added to a stored operation: a document sent again, or reserved unsent before. */
  readonly isAdded: boolean
  /** Stores the first commit again, after the store lost it. */
  readonly reserveAgain: Effect.Effect<Committed<Kept>, StoreUnavailable>
}

/** Sends once, within the rest of the lease. Any defect of our own code from here on is an unknown outcome. */
const submitOnce = Effect.fnUntraced(function*(submission: ReservedSubmission) {
  const policy = yield* SubmissionPolicy
  const elapsed = yield* millisSince(submission.leaseFrom)
  if (elapsed >= policy.leaseMarginMillis) {
    return submissionOutcome("leaseTooShort", `the first commit took ${elapsed} ms; too little of the lease was left to send`)
  }
  const submittedAt = yield* DateTime.now
  const { operation, taxRates } = submission
  return yield* submission.element.submit({ content: operation.content, taxRates }, {
    requestId: submission.attempt.requestId,
    firstByteWithinMillis: policy.leaseMarginMillis - elapsed,
    callerGone: submission.callerGone,
    submittedAt
  }).pipe(
    Effect.catchCause((cause) => Effect.succeed(submissionOutcome("ownFault", Cause.pretty(cause))))
  )
})

const noteContact = Effect.fnUntraced(function*(submission: ReservedSubmission, outcome: SubmissionOutcome) {
  const contacts = yield* ElementContacts
  const { elementId } = submission.attempt
  if (outcome._tag === "NoAnswer") contacts.lost(elementId)
  if (outcome._tag === "Signed" || outcome._tag === "Rejected") yield* contacts.answered(elementId)
  if (outcome._tag === "Rejected" && outcome.rejection.items.some((item) => item.codes.includes("2310"))) {
    const rates = yield* TaxRates
    yield* rates.doubt(elementId)
  }
})

/**
 * Sends a reserved attempt and stores its outcome. Never fails and is not interruptible: from the first commit on, only the outcome counts (Decisions
 * §4). Answers the operation as it is after the second commit.
 */
export const submitReserved = Effect.fn("submitReserved")(function*(submission: ReservedSubmission) {
  const policy = yield* SubmissionPolicy
  const outcome = yield* submitOnce(submission)
  const details = yield* submission.buyerDetails
  const at = yield* DateTime.now
  const elapsed = yield* millisSince(submission.leaseFrom)
  const stored = yield* storeOutcome(
    {
      operation: submission.operation,
      attempt: submission.attempt,
      again: submission.reserveAgain,
      isAdded: submission.isAdded
    },
    conclusionOf({
      organizationId: submission.operation.organizationId,
      operationId: submission.operation.id,
      workflow: submission.operation.workflow,
      attempt: submission.attempt.number,
      at,
      actor: submission.actor,
      buyerDetails: details
    }, outcome, {
      earlierUnresolved: submission.earlierUnresolved,
      isInner: submission.operation.boundKey.role === "INNER",
      isCarriedOn: isCarriedOnByService(submission.operation)
    }),
    DateTime.toEpochMillis(at) + leaseMillis(policy) - elapsed
  )
  yield* noteContact(submission, outcome)
  return stored
}, Effect.uninterruptible)
