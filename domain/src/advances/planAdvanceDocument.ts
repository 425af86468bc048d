import { Result } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import type { Operation } from "../operations/Operation.ts"
import type { Buyer } from "../parties/Buyer.ts"
import type { ReferenceDocumentNotFound } from "../references/errors.ts"
import { referencedDocument, referenceTo } from "../references/ReferencedDocument.ts"
import type { AdvanceCancellationRequest } from "../requests/AdvanceCancellationRequest.ts"
import { type AdvanceClosingRequest, closingBuyer } from "../requests/AdvanceClosingRequest.ts"
import type { AdvancePaymentRequest } from "../requests/AdvancePaymentRequest.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { advanceClosing, advanceLimitFault, checkClosing } from "./advanceArithmetic.ts"
import { cancellationTarget, chainReference, latestAdvance, mayPaymentBeRedriven } from "./advanceChain.ts"
import { type AdvanceMutation, closingDocuments, mayBegin, type WhileClosing } from "./advanceGate.ts"
import {
  advanceSales,
  type CaseDocuments,
  caseDocuments,
  caseProgressOf,
  inFlightOf,
  referredId
} from "./caseDocuments.ts"
import { composeAdvanceRefund, composeCancellation } from "./composeAdvanceRefund.ts"
import type {
  AdvanceCancellationTargetNotLatest,
  AdvanceCaseHasNoFiscalizedSale,
  AdvanceCaseNotOpen,
  AdvanceCloseTotalMismatch,
  AdvancePaymentSuperseded
} from "./errors.ts"
import type { OpenedAdvanceCase } from "./AdvanceCase.ts"

/** The content of a document of a case, without what the premise adds to the paper: that is captured separately. */
export type AdvanceContent = Omit<DocumentContent, "esirNumber" | "preferredPaperFormat" | "brandingId">

/**
 * Another document of the case is being sent: the mutation waits for its outcome and asks again (Decisions §5, Advance case). Null where the case has
 * moved since it was read: the mutation asks again at once.
 */
export interface DocumentInFlight {
  readonly _tag: "DocumentInFlight"
  readonly operation: Operation | null
}

type GateRefusal<M extends AdvanceMutation> = AdvanceCaseNotOpen | WhileClosing[M] | DocumentInFlight

const passGate = <M extends AdvanceMutation>(documents: CaseDocuments, mutation: M): Result.Result<void, GateRefusal<M>> => {
  const inFlight = inFlightOf(documents)
  return Result.flatMap(mayBegin(caseProgressOf(documents), mutation), () =>
    inFlight === null
      ? Result.void
      : Result.fail<DocumentInFlight>({ _tag: "DocumentInFlight", operation: inFlight }))
}

type Said = Pick<AdvancePaymentRequest, "cashier" | "clientReference" | "commercialFooter" | "metadata">

const saidBy = (opened: OpenedAdvanceCase, request: Said) => ({
  clientReference: request.clientReference ?? opened.clientReference,
  cashier: request.cashier,
  commercialFooter: request.commercialFooter,
  metadata: request.metadata,
  dateAndTimeOfIssue: null,
  advanceClosing: null
})

/**
 * The next Advance Sale of a case: to the case's buyer, referring to the latest advance that stands. Source: Decisions §5, Advance case.
 *
 * @param operations All documents of the case, in the order they were reserved.
 */
export const planPayment = (
  opened: OpenedAdvanceCase,
  operations: ReadonlyArray<Operation>,
  request: AdvancePaymentRequest
): Result.Result<AdvanceContent, GateRefusal<"PAYMENT"> | RequestFaults> => {
  const documents = caseDocuments(operations)
  const sales = advanceSales(documents)
  const content: AdvanceContent = {
    ...saidBy(opened, request),
    invoiceType: "ADVANCE",
    transactionType: "SALE",
    buyer: opened.buyer,
    items: request.items,
    payments: request.payments,
    reference: chainReference(sales),
    dateAndTimeOfIssue: request.paymentOccurredAt
  }
  return Result.flatMap(passGate(documents, "PAYMENT"), () => {
    const fault = advanceLimitFault(sales, opened.externalAdvance, request.items)
    return fault === null ? Result.succeed(content) : Result.fail(new RequestFaults({ faults: [fault] }))
  })
}

/** The Advance Refund of the latest advance that stands, or the refusal. Source: Decisions §5, Advance case (cancellations). */
export const planCancellation = (
  opened: OpenedAdvanceCase,
  operations: ReadonlyArray<Operation>,
  request: AdvanceCancellationRequest
): Result.Result<AdvanceContent, GateRefusal<"CANCELLATION"> | AdvanceCancellationTargetNotLatest | ReferenceDocumentNotFound> => {
  const documents = caseDocuments(operations)
  return Result.flatMap(passGate(documents, "CANCELLATION"), () =>
    Result.map(cancellationTarget(advanceSales(documents), request.advanceSaleId), (target): AdvanceContent => ({
      ...saidBy(opened, request),
      ...composeCancellation(target),
      invoiceType: "ADVANCE",
      transactionType: "REFUND",
      buyer: request.buyer
    })))
}

/** Whether a closing that begins now issues an Advance Refund. */
export const isAdvanceRefundDue = (operations: ReadonlyArray<Operation>): boolean => {
  const documents = caseDocuments(operations)
  const advanceRefundKept = documents.advanceRefund?.status === "FISCALIZED"
  return closingDocuments({ advanceStands: latestAdvance(advanceSales(documents)) !== null, advanceRefundKept }).includes("ADVANCE_REFUND")
}

/** The documents of a closing: the Advance Refund, where one is due, and the final sale, which refers to it once it is signed. */
export interface PlannedClosing {
  /** Null without an advance of the service's own, and where an earlier closing's Advance Refund is kept. */
  readonly advanceRefund: AdvanceContent | null
  readonly finalSale: AdvanceContent
}

export type ClosingRefusal = GateRefusal<"CLOSING"> | RequestFaults | AdvanceCaseHasNoFiscalizedSale | AdvanceCloseTotalMismatch

const refundContent = (
  opened: OpenedAdvanceCase,
  documents: CaseDocuments,
  request: AdvanceClosingRequest,
  buyer: Buyer
): AdvanceContent | null => {
  const composed = composeAdvanceRefund(advanceSales(documents), opened.environment)
  return composed === null ? null : {
    ...saidBy(opened, request),
    ...composed,
    invoiceType: "ADVANCE",
    transactionType: "REFUND",
    // The optional field belongs to the final sale alone (Spec, fiscal-documents rule 5).
    buyer: { id: buyer.id, optionalField: null },
    commercialFooter: null,
    metadata: null
  }
}

/** The reference of a final sale that needs no new Advance Refund: the kept one of an earlier closing; null without advances of our own. */
const keptReference = ({ advanceRefund }: CaseDocuments): AdvanceContent["reference"] =>
  advanceRefund === null ? null : referenceTo(referencedDocument(advanceRefund))

/**
 * Both documents of a closing, or the refusal: the case's state, the buyer, an advance to close, the arithmetic, in this order.
 * Source: Decisions §5, Advance case (closing).
 */
export const planClosing = (
  opened: OpenedAdvanceCase,
  operations: ReadonlyArray<Operation>,
  request: AdvanceClosingRequest
): Result.Result<PlannedClosing, ClosingRefusal> => {
  const documents = caseDocuments(operations)
  const sales = advanceSales(documents)
  const { externalAdvance } = opened
  return Result.gen(function*() {
    yield* passGate(documents, "CLOSING")
    const buyer = yield* closingBuyer(request.buyer, opened.buyer)
    const remaining = yield* checkClosing(sales, externalAdvance, request)
    const advanceRefund = isAdvanceRefundDue(operations) ? refundContent(opened, documents, request, buyer) : null
    const finalSale: AdvanceContent = {
      ...saidBy(opened, request),
      invoiceType: "NORMAL",
      transactionType: "SALE",
      buyer,
      items: request.items,
      payments: request.remainingPayments,
      reference: keptReference(documents),
      advanceClosing: advanceClosing(sales, externalAdvance, remaining)
    }
    return { advanceRefund, finalSale }
  })
}

/** The refusals of a repeated submission of a document, by the mutation that reserved it. */
export interface RedriveRefusals {
  readonly PAYMENT: AdvancePaymentSuperseded | GateRefusal<"PAYMENT">
  readonly CANCELLATION: AdvanceCancellationTargetNotLatest | ReferenceDocumentNotFound | GateRefusal<"CANCELLATION">
  readonly CLOSING: never
}

/**
 * Whether a document of the case that was not sent may be driven again under its key. A payment must still be the end of its chain, a
 * cancellation must still give back the latest advance, and no closing may have begun, which counts the advances as they stood. The
 * documents of a closing go on as they are. Source: Decisions §5, Advance case; Spec, Errors, Catalogue (ADVANCE_PAYMENT_SUPERSEDED).
 */
export const mayBeRedriven: {
  readonly [M in AdvanceMutation]: (operations: ReadonlyArray<Operation>, document: Operation) => Result.Result<void, RedriveRefusals[M]>
} = {
  PAYMENT: (operations, document) => {
    const documents = caseDocuments(operations)
    return Result.flatMap(passGate(documents, "PAYMENT"), () =>
      mayPaymentBeRedriven(advanceSales(documents), { id: document.id, previousId: referredId(document) }))
  },
  CANCELLATION: (operations, document) => {
    const documents = caseDocuments(operations)
    return Result.flatMap(passGate(documents, "CANCELLATION"), () =>
      Result.map(cancellationTarget(advanceSales(documents), referredId(document) ?? document.id), () => undefined))
  },
  CLOSING: () => Result.void
}

/**
 * Whether another request has already sent the document that this one wants to send again, so that its own receipt may be what closes the case to it.
 * The compare-and-set then answers instead of a refusal (Decisions §3: of several at once, one sends, and the others get its answer).
 *
 * @param next The document with the attempt that this request would add.
 */
export const isSentByAnother = (operations: ReadonlyArray<Operation>, next: Pick<Operation, "attempt" | "id">): boolean =>
  operations.some(({ attempt, id }) => id === next.id && attempt >= next.attempt)
