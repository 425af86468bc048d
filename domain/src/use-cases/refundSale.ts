import { Effect, Option, Result } from "effect"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import { hasCash } from "../documents/paymentPolicy.ts"
import type { Operation } from "../operations/Operation.ts"
import { Identifiers } from "../ports/Identifiers.ts"
import { Installation } from "../ports/Installation.ts"
import { OperationStore, type Reservation, type Reserved } from "../ports/OperationStore.ts"
import { type RefundReservation, RefundStore, type StoredRefund } from "../ports/RefundStore.ts"
import { type InvoiceToSign, TaxAuthority } from "../ports/TaxAuthority.ts"
import { type AcceptedRefund, askRefund, type RefundRefusal } from "../refunds/refundQuantities.ts"
import type { RefundItem } from "../refunds/RefundItem.ts"
import type { RefundLedger } from "../refunds/RefundLedger.ts"
import { refundTotalsFault } from "../refunds/refundTotals.ts"
import { RequestFaults } from "../requests/Fault.ts"
import type { RefundRequest } from "../requests/RefundRequest.ts"
import { checkReplay } from "./answerStored.ts"
import { draftRefund, type RefundDraft } from "./draftRefund.ts"
import { driveCopy } from "./driveCopy.ts"
import { thisMoment } from "./elapsed.ts"
import { boundKeyOf, type FiscalRequest } from "./FiscalRequest.ts"
import { InFlight } from "./InFlight.ts"
import { actorOf, invoiceOf, newReservation, rereadReserved } from "./issueDocument.ts"
import { submitReserved } from "./submitReserved.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

/** A refund workflow as it stands, and whether this request carried it out or found it. */
export interface Refunded {
  readonly refund: StoredRefund
  readonly replayed: boolean
}

type Refusal = RefundRefusal | RequestFaults

/** The account decides: quantities, then money (Decisions §2, precedence; §5, Money). */
const judge = (draft: RefundDraft, refund: RefundRequest, ledger: RefundLedger): Result.Result<AcceptedRefund, Refusal> =>
  Result.flatMap(
    askRefund(draft.original.content.items, ledger, refund.items as ReadonlyArray<RefundItem>),
    (accepted): Result.Result<AcceptedRefund, RequestFaults> => {
      const fault = refundTotalsFault(accepted.total, refund.payments)
      return fault === null ? Result.succeed(accepted) : Result.fail(new RequestFaults({ faults: [fault] }))
    }
  )

const withItems = (reservation: Reservation, items: ReadonlyArray<RefundItem>): Reservation => ({
  ...reservation,
  operation: { ...reservation.operation, content: { ...reservation.operation.content, items } }
})

/** The first commit, decided under the original's lock; `Reserved` answers what was reserved. */
const reserveRefund = Effect.fnUntraced(function*(
  request: FiscalRequest,
  refund: RefundRequest,
  draft: RefundDraft,
  failureCode: Operation["failureCode"]
) {
  const refunds = yield* RefundStore
  const identifiers = yield* Identifiers
  const workflowId = (yield* identifiers.uuid) as WorkflowId
  const copyId = hasCash(refund.payments) ? (yield* identifiers.uuid) as FiscalDocumentId : null
  const workflow = { type: "REFUND", id: workflowId } as const
  const blank = yield* newReservation(
    { tenant: request.tenant, clientId: request.clientId, boundKey: boundKeyOf(request) },
    { ...draft, workflow },
    failureCode
  )
  let kept: RefundReservation | null = null
  const attempted = refunds.reserve<Refusal>(draft.original, (ledger) =>
    Result.map(judge(draft, refund, ledger), ({ items, entries }) => {
      kept = { reservation: withItems(blank, items), workflowId, originalId: draft.original.id, copyId, entries }
      return kept
    }))
  const decided = yield* attempted.pipe(
    Effect.catchTag("StoreUnavailable", (error) => Effect.map(rereadReserved(blank.operation, error), Result.succeed))
  )
  const reserved: Reserved = yield* Effect.fromResult(decided)
  return { reserved, kept: kept as RefundReservation | null }
})

/** What carrying out a refund came to: the workflow in hand, or the operation that has its key. */
type Carried = { readonly _tag: "KeyTaken"; readonly existing: Operation } | {
  readonly _tag: "Carried"
  readonly refund: StoredRefund
}

const workflowInHand = (draft: RefundDraft, kept: RefundReservation, refund: Operation): Carried => ({
  _tag: "Carried",
  refund: { id: kept.workflowId, original: draft.original, refund, copyId: kept.copyId, copy: null }
})

/** Reserves, sends and stores the refund document; not interruptible from the first commit on. */
const carryOut = Effect.fnUntraced(function*(request: FiscalRequest, refund: RefundRequest, draft: RefundDraft) {
  const authority = yield* TaxAuthority
  const inFlight = yield* InFlight
  const installation = yield* Installation
  const refunds = yield* RefundStore
  const opened = yield* Effect.result(authority.prepare(invoiceOf(request.tenant, draft)))
  const leaseFrom = yield* thisMoment
  const failureCode = Result.isFailure(opened) ? opened.failure.failureCode : null
  const { reserved, kept } = yield* reserveRefund(request, refund, draft, failureCode)
  if (reserved._tag === "KeyTaken") return reserved satisfies Carried
  if (kept === null) return yield* Effect.die(new Error("a refund was reserved that nobody decided"))
  const { operation, attempt } = kept.reservation
  if (attempt === null) return workflowInHand(draft, kept, operation)
  inFlight.begin(operation.id)
  // The items' money was decided under the lock, so the invoice is composed again with what was reserved.
  const invoice: InvoiceToSign = invoiceOf(request.tenant, { ...draft, content: operation.content })
  const prepared = yield* authority.prepare(invoice).pipe(
    Effect.catchTag("SubmissionNotPossible", ({ failureCode: code, detail }) =>
      Effect.succeed({
        invoice,
        submit: () => Effect.succeed({ _tag: "NotSent" as const, failureCode: code, detail, elementRefused: false })
      }))
  )
  const stored = yield* submitReserved({
    operation,
    attempt,
    prepared,
    callerGone: request.callerGone,
    actor: actorOf(installation),
    leaseFrom,
    earlierUnresolved: false,
    // Decided already: what was held is held again, whatever others took since the store forgot it.
    reserveAgain: refunds.reserve(draft.original, () => Result.succeed(kept))
  })
  inFlight.end(operation.id, stored)
  return workflowInHand(draft, kept, stored)
}, Effect.uninterruptible)

/**
 * The copy, where one is due: waited for while somebody sends it, sent where it may be. The refund is a receipt by now, so that a
 * store which fails here leaves the copy pending and takes nothing back (Spec, Refund workflow statuses, COPY_PENDING).
 */
const finishCopy = Effect.fnUntraced(function*(request: FiscalRequest, stored: StoredRefund) {
  const { copy } = stored
  // A POST never answers SUBMITTING (Decisions §3).
  if (copy?.status === "SUBMITTING") return { ...stored, copy: yield* waitForOutcome(copy) } satisfies StoredRefund
  return yield* driveCopy(stored, "caller", request.callerGone).pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(stored))
  )
})

/** The workflow this request carried out. Its copy was reserved with the outcome, so only a cash refund is read again. */
const answerCarried = Effect.fnUntraced(function*(request: FiscalRequest, inHand: StoredRefund) {
  if (inHand.copyId === null || inHand.refund.status !== "FISCALIZED") return inHand
  const refunds = yield* RefundStore
  const stored = yield* refunds.get(request.tenant, inHand.id).pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.none<StoredRefund>()))
  )
  return Option.isNone(stored) ? inHand : yield* finishCopy(request, stored.value)
})

/** The workflow under a key that is taken: waits for what is under way, sends a copy that is due, and never a refund again. */
const answerTaken = Effect.fnUntraced(function*(request: FiscalRequest, existing: Operation) {
  const refunds = yield* RefundStore
  yield* checkReplay({ tenant: request.tenant, boundKey: boundKeyOf(request) }, existing)
  if (existing.status === "SUBMITTING") yield* waitForOutcome(existing)
  const stored = existing.workflow === null ? Option.none() : yield* refunds.get(request.tenant, existing.workflow.id)
  if (Option.isNone(stored)) return yield* Effect.die(new Error(`operation ${existing.id} has no refund workflow`))
  return { refund: yield* finishCopy(request, stored.value), replayed: true } satisfies Refunded
})

/**
 * Refunds a Normal Sale in full or in part, and issues the signed copy of a cash refund at once. A refund is sent at most once under
 * its key; its copy is driven until it is a receipt. Source: Spec, refund-workflows; Decisions §5, Refund workflow.
 */
export const refundSale = Effect.fn("refundSale")(function*(request: FiscalRequest, refund: RefundRequest) {
  const store = yield* OperationStore
  const lookUp = store.findByKey({
    organizationId: request.tenant.organizationId,
    role: "REQUEST",
    key: request.idempotencyKey
  })
  const known = yield* lookUp
  if (Option.isSome(known)) return yield* answerTaken(request, known.value)
  const carried = yield* Effect.result(Effect.flatMap(draftRefund(request, refund), (draft) => carryOut(request, refund, draft)))
  if (Result.isSuccess(carried)) {
    return carried.success._tag === "KeyTaken"
      ? yield* answerTaken(request, carried.success.existing)
      : { refund: yield* answerCarried(request, carried.success.refund), replayed: false } satisfies Refunded
  }
  const { failure } = carried
  if (failure._tag === "StoreUnavailable") return yield* failure
  // What refuses this request may be its own twin under the same key, which took the quantities a moment ago.
  const meanwhile = yield* lookUp
  return Option.isNone(meanwhile) ? yield* Effect.fail(failure) : yield* answerTaken(request, meanwhile.value)
})
