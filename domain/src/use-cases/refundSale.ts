import { Effect, Option, Result } from "effect"
import { composeContent, hasCash, paidBy } from "../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../documents/errors.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import { asUnknown } from "../operations/inDoubt.ts"
import type { Operation, WorkflowLink } from "../operations/Operation.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { type RefundReservation, type RefundReserved, RefundStore, type StoredRefund } from "../ports/WorkflowStores.ts"
import { checkReference, type ReferenceRefusal } from "../references/checkReference.ts"
import { ReferenceDocumentNotFound } from "../references/errors.ts"
import { type DocumentReference, referencedDocument } from "../references/ReferencedDocument.ts"
import { type AcceptedRefund, askRefund, type RefundRefusal, refundTotalsFault } from "../refunds/refundQuantities.ts"
import type { RefundItem } from "../refunds/RefundWorkflow.ts"
import type { RefundLedger } from "../refunds/RefundLedger.ts"
import { RequestFaults } from "../requests/Fault.ts"
import type { RefundRequest } from "../requests/RefundRequest.ts"
import type { TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import { driveCopy } from "./driveCopy.ts"
import { type Blank, type Committed, type FirstCommit, rereadByKey, withContent } from "./issuing/reservation.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import {
  checkLabelsThen, checkPrerequisites, type DocumentDraft, type DraftFacts, type IssuableKind, type PlaceRefusal, type Proven
} from "./issuing/draftDocument.ts"
import { waitForOutcome } from "./issuing/waitForOutcome.ts"

/** A refund workflow as it is now, and whether this request carried it out or found it. */
export interface Refunded {
  readonly refund: StoredRefund
  readonly replayed: boolean
}

type AccountRefusal = RefundRefusal | RequestFaults
type Refusal = PlaceRefusal<"EXEMPT", PaymentTypeNotAllowedOnPremise> | ReferenceRefusal | TaxLabelNotCurrent | AccountRefusal

const kind = { invoiceType: "NORMAL", transactionType: "REFUND" } as const

/** A receipt that may be given back, with the reference of its refund. */
interface Original {
  readonly document: Operation
  readonly reference: DocumentReference
}

/** The premise, then the reference. A refund is not stopped by the licence (Decisions §2). */
const proven = Effect.fnUntraced(function*(tenant: Tenant, { businessPremiseId, items, original, payments, taxpayerId }: RefundRequest) {
  const document = Option.getOrNull(yield* (yield* OperationStore).get(tenant, original.fiscalDocumentId))
  const asked = { taxpayerId, businessPremiseId, use: licensedUseOf("NORMAL", "REFUND"), paymentMode: paidBy(payments), items }
  const place = yield* checkPrerequisites(tenant, asked)
  const { fiscalDocumentId } = original
  if (document === null) return yield* new ReferenceDocumentNotFound({ fiscalDocumentId })
  const referring = { ...kind, taxpayerId, businessPremiseId }
  const reference = yield* Effect.fromResult(checkReference(referring, fiscalDocumentId, referencedDocument(document)))
  const found: Proven<Original> = { place, subject: { document, reference }, ratesAt: reference }
  return found
})

/** The labels at the original's time: neither a label withdrawn since, nor a missing fresh configuration stops a refund (Decisions §2). */
const compose = (refund: RefundRequest, { place, subject: { document, reference }, taxRates }: DraftFacts<Original>) =>
  Result.map(checkLabelsThen(document.content.items, { taxRates }), () => composeContent({ ...kind, reference }, refund, place))

/** The ledger decides: quantities, then money (Decisions §2, precedence; §5, Money). */
export const judge = (original: Operation, refund: RefundRequest, ledger: RefundLedger): Result.Result<AcceptedRefund, AccountRefusal> =>
  Result.flatMap(
    askRefund(original.content.items, ledger, refund.items as ReadonlyArray<RefundItem>),
    (accepted): Result.Result<AcceptedRefund, RequestFaults> => {
      const fault = refundTotalsFault(accepted.total, refund.payments)
      return fault === null ? Result.succeed(accepted) : Result.fail(new RequestFaults({ faults: [fault] }))
    }
  )

/** What the first commit of a refund stores, with the receipt it gives back. */
interface RefundKept extends RefundReservation {
  readonly original: Operation
}

const committedOf = (original: Operation, reserved: RefundReserved): Committed<RefundKept> =>
  reserved._tag === "KeyTaken" ? { _tag: "Taken", existing: reserved.existing } : { _tag: "Kept", kept: { ...reserved.kept, original } }

/** The refund document, its workflow and its hold on the original's lines: decided under the original's row lock, in one commit. */
const refundCommit = Effect.fnUntraced(function*(tenant: Tenant, refund: RefundRequest, blank: Blank, { content, subject }: DocumentDraft<Original>) {
  const refunds = yield* RefundStore
  const store = yield* OperationStore
  const identifiers = yield* Identifiers
  const original = subject.document
  const workflowId = (yield* identifiers.uuid) as WorkflowId
  const copyId = hasCash(refund.payments) ? (yield* identifiers.uuid) as FiscalDocumentId : null
  const offered: Blank = { ...blank, operation: { ...blank.operation, workflow: { type: "REFUND", id: workflowId } } }
  const decide = (ledger: RefundLedger): Result.Result<RefundReservation, AccountRefusal> =>
    Result.map(judge(original, refund, ledger), ({ items, entries }) =>
      ({ reservation: withContent(offered, { ...content, items }), workflowId, originalId: original.id, copyId, entries }))
  const storedKept = Effect.map(refunds.get(tenant, workflowId), Option.map((stored): RefundKept => ({
    reservation: { ...offered, operation: stored.refund },
    workflowId,
    originalId: original.id,
    copyId,
    entries: stored.entries,
    original
  })))
  const commit: FirstCommit<RefundKept, AccountRefusal> = {
    offered,
    buyer: content.buyer,
    commit: Effect.map(refunds.reserve(original, decide), Result.map((reserved) => committedOf(original, reserved))),
    reread: Effect.suspend(() => rereadByKey(store, offered.operation, () => storedKept)),
    again: (kept) => Effect.map(refunds.reserveAgain(original, kept), (reserved) => committedOf(original, reserved))
  }
  return commit
})

type RefundNeeds = OperationStore | RefundStore | Identifiers

/** A refund of a Normal Sale; under its key it is sent at most once. Source: Spec, refund-workflows; Decisions §5, Refund workflow. */
export const refundKind = (request: Pick<KeyedRequest, "tenant">, refund: RefundRequest): IssuableKind<Original, RefundKept, Refusal, RefundNeeds> => ({
  keyLookup: "FIRST",
  gates: proven(request.tenant, refund),
  compose: (facts) => compose(refund, facts),
  firstCommit: (blank, draft) => refundCommit(request.tenant, refund, blank, draft),
  replay: "REPLAY"
})

/**
 * The copy, where one is due: waited for while another process sends it, sent where allowed. The refund is a receipt already, so a store that fails
 * here leaves the copy pending and takes nothing back (Spec, Refund workflow statuses, COPY_PENDING).
 */
const finishCopy = Effect.fnUntraced(function*(request: KeyedRequest, stored: StoredRefund) {
  const { copy } = stored
  // A POST never answers SUBMITTING (Decisions §3).
  if (copy?.status === "SUBMITTING") return { ...stored, copy: yield* waitForOutcome(copy) } satisfies StoredRefund
  return yield* driveCopy(stored, "caller", request.callerGone).pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(stored))
  )
})

/** A workflow of which only its refund is known, as this process knows it. */
const inHand = (refund: Operation, { id }: WorkflowLink): StoredRefund => ({ id, refund: asUnknown(refund), copyId: null, copy: null, entries: [] })

/** The workflow this request carried out. Its copy was reserved with the outcome, so only a cash refund is read again. */
const answerCarriedOut = Effect.fnUntraced(function*(request: KeyedRequest, refund: Operation, kept: RefundKept) {
  const { copyId, entries, workflowId } = kept
  const inHand: StoredRefund = { id: workflowId, refund, copyId, copy: null, entries }
  if (copyId === null || refund.status !== "FISCALIZED") return inHand
  const refunds = yield* RefundStore
  const stored = yield* refunds.get(request.tenant, workflowId).pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeedNone)
  )
  return Option.isNone(stored) ? inHand : yield* finishCopy(request, stored.value)
})

/**
 * Refunds a Normal Sale in full or in part, and issues the signed copy of a cash refund at once. A refund is sent at most once under
 * its key; its copy is driven until it is a receipt. Source: Spec, refund-workflows; Decisions §5, Refund workflow.
 */
export const refundSale = Effect.fn("refundSale")(function*(request: KeyedRequest, refund: RefundRequest) {
  const { kept, operation, replayed } = yield* issueUnderKey(request, refundKind(request, refund))
  if (kept !== null) return { refund: yield* answerCarriedOut(request, operation, kept), replayed } satisfies Refunded
  const refunds = yield* RefundStore
  if (operation.workflow === null) return yield* Effect.die(new Error(`operation ${operation.id} has no refund workflow`))
  const stored = yield* refunds.get(request.tenant, operation.workflow.id)
  // A failover lost the workflow after the document was read.
  if (Option.isNone(stored)) return { refund: inHand(operation, operation.workflow), replayed } satisfies Refunded
  return { refund: yield* finishCopy(request, stored.value), replayed } satisfies Refunded
})
