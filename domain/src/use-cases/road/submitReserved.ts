import { Cause, DateTime, Effect, Fiber, Option } from "effect"
import { SubmissionOutcome } from "../../documents/SubmissionOutcome.ts"
import { isCarriedOnByService } from "../../operations/carriedOnByService.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import type { BuyerDetails } from "../../parties/BuyerDetails.ts"
import { registerTaxIdentifier } from "../../parties/registerTaxIdentifier.ts"
import { CompanyRegister } from "../../ports/CompanyRegister.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import type { OpenedElement } from "../../ports/TaxAuthority.ts"
import { TaxRates } from "../../ports/TaxRates.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import { conclusionOf } from "./conclusionOf.ts"
import { type Moment, millisSince } from "./elapsed.ts"
import type { Committed } from "./FirstCommit.ts"
import { ElementContacts } from "./ElementContacts.ts"
import { storeOutcome } from "./storeOutcome.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"

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
  /** An earlier attempt may have reached the V-PFR: the search for it continues. */
  readonly earlierUnresolved: boolean
  /** The attempt was added to a stored operation: a document sent again, or reserved unsent before. */
  readonly isAdded: boolean
  /** Stores the first commit again, after the store lost it. */
  readonly reserveAgain: Effect.Effect<Committed<unknown>, StoreUnavailable>
}

/** Sends once, within the rest of the lease. Any defect of our own code from here on is an unknown outcome. */
const submitOnce = Effect.fnUntraced(function*(submission: ReservedSubmission) {
  const policy = yield* SubmissionPolicy
  const elapsed = yield* millisSince(submission.leaseFrom)
  if (elapsed >= policy.leaseMarginMillis) {
    return SubmissionOutcome.make({
      _tag: "NotSent",
      failureCode: "PFR_UNAVAILABLE",
      detail: `the first commit took ${elapsed} ms; too little of the lease was left to send`,
      elementRefused: false
    })
  }
  const submittedAt = yield* DateTime.now
  const { operation, taxRates } = submission
  return yield* submission.element.submit({ content: operation.content, taxRates }, {
    requestId: submission.attempt.requestId,
    firstByteWithinMillis: policy.leaseMarginMillis - elapsed,
    callerGone: submission.callerGone,
    submittedAt
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.succeed(SubmissionOutcome.make({
        _tag: "NoAnswer",
        failureCode: "PFR_SUBMISSION_FAULT",
        detail: Cause.pretty(cause),
        foreignAnswer: null
      }))
    )
  )
})

/** Starts the look-up in the company register in parallel with the submission; what has not arrived when the outcome is stored is left out. */
const lookUpBuyer = Effect.fnUntraced(function*(operation: Operation) {
  const register = yield* CompanyRegister
  const taxIdentifier = registerTaxIdentifier(operation.content.buyer?.id ?? null)
  const known = operation.buyerDetails
  if (known !== null || Option.isNone(taxIdentifier)) return Effect.succeed<BuyerDetails | null>(known)
  const fiber = yield* Effect.forkDetach(register.lookup(taxIdentifier.value), { startImmediately: true })
  return Effect.suspend(() => {
    const exit = fiber.pollUnsafe()
    const details = exit?._tag === "Success" ? Option.getOrNull(exit.value) : known
    return exit === undefined ? Effect.as(Effect.forkDetach(Fiber.interrupt(fiber)), details) : Effect.succeed(details)
  })
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
  const buyerDetails = yield* lookUpBuyer(submission.operation)
  const outcome = yield* submitOnce(submission)
  const details = yield* buyerDetails
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
