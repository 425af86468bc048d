import { hasCash } from "../documents/composeContent.ts"
import type { Operation } from "../operations/Operation.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { AdvanceSale } from "./advanceChain.ts"
import { advanceCaseState, type AdvanceDocuments, advanceProgress, type AdvanceProgress } from "./advanceGate.ts"
import type { AdvanceCaseState } from "./AdvanceCase.ts"
import { isGivenUp } from "./givenUpClosing.ts"

/** A cancelled advance as documents: the Advance Refund and, where cash went back, its signed copy. */
export interface AdvanceCancellation {
  readonly refund: Operation
  /** Null without cash, and until the refund is a receipt. */
  readonly copy: Operation | null
}

/** The documents of a case by their role in it. Everything that a case shows is derived from these. */
export interface CaseDocuments {
  /** Every attempt at an advance, in the order they were reserved. */
  readonly payments: ReadonlyArray<Operation>
  readonly cancellations: ReadonlyArray<AdvanceCancellation>
  /** The Advance Refund of the closing; null before one is reserved, and after the closing was given up. */
  readonly advanceRefund: Operation | null
  /** The latest final sale; null before a closing is reserved, and after it was given up. */
  readonly finalSale: Operation | null
}

/** The role of a document in its case, recognized by the document's kind and by the key it carries (Decisions §3, §5 Advance case). */
export const advancePartOf = (
  operation: Pick<Operation, "boundKey" | "content">
): "PAYMENT" | "CANCELLATION" | "CANCELLATION_COPY" | "CLOSING_REFUND" | "FINAL_SALE" => {
  const { invoiceType, transactionType } = operation.content
  if (invoiceType === "COPY") return "CANCELLATION_COPY"
  if (invoiceType === "NORMAL") return "FINAL_SALE"
  if (transactionType === "SALE") return "PAYMENT"
  return operation.boundKey.role === "INNER" ? "CLOSING_REFUND" : "CANCELLATION"
}

/** The service's own document that a document refers to; null when it refers to none. */
export const referredId = (operation: Operation): FiscalDocumentId | null => operation.content.reference?.fiscalDocumentId ?? null

/**
 * Sorts a case's documents by their part.
 *
 * @param operations All documents of one case, in the order they were reserved.
 */
export const caseDocuments = (operations: ReadonlyArray<Operation>): CaseDocuments => {
  const ofPart = (part: ReturnType<typeof advancePartOf>) => operations.filter((operation) => advancePartOf(operation) === part)
  const ofClosings = (part: "CLOSING_REFUND" | "FINAL_SALE") => ofPart(part).filter((operation) => !isGivenUp(operation, operations))
  const copies = ofPart("CANCELLATION_COPY")
  return {
    payments: ofPart("PAYMENT"),
    cancellations: ofPart("CANCELLATION").map((refund) => ({
      refund,
      copy: copies.find((copy) => referredId(copy) === refund.id) ?? null
    })),
    advanceRefund: ofClosings("CLOSING_REFUND").at(-1) ?? null,
    finalSale: ofClosings("FINAL_SALE").at(-1) ?? null
  }
}

/** The advances given back by a cancellation that is a receipt. */
export const cancelledSaleIds = (documents: CaseDocuments): ReadonlyArray<FiscalDocumentId> =>
  documents.cancellations.flatMap(({ refund }) => {
    const saleId = referredId(refund)
    return refund.status === "FISCALIZED" && saleId !== null ? [saleId] : []
  })

/** The Advance Sales with the facts that decide the chain and the sums. */
export const advanceSales = (documents: CaseDocuments): ReadonlyArray<AdvanceSale> => {
  const cancelled = new Set(cancelledSaleIds(documents))
  return documents.payments.map((payment) => ({
    id: payment.id,
    status: payment.status,
    previousId: referredId(payment),
    cancelled: cancelled.has(payment.id),
    items: payment.content.items,
    payments: payment.content.payments,
    taxes: payment.answer?.taxes ?? [],
    pfr: payment.answer?.pfr ?? null
  }))
}

const statusesOf = (documents: CaseDocuments): AdvanceDocuments => ({
  documents: [...documents.payments, ...documents.cancellations.map(({ refund }) => refund)].map(({ status }) => status),
  advanceRefund: documents.advanceRefund?.status ?? null,
  finalSale: documents.finalSale?.status ?? null
})

/** The state that the case's documents add up to (Decisions §5, Advance case). */
export const caseStateOf = (documents: CaseDocuments): AdvanceCaseState => advanceCaseState(statusesOf(documents))

/** What the case's documents say about whether another one may be issued. */
export const caseProgressOf = (documents: CaseDocuments): AdvanceProgress => advanceProgress(statusesOf(documents))

/** Whether a document of the case is being sent right now, its inner copy included: another mutation waits for it. */
export const inFlightOf = (documents: CaseDocuments): Operation | null =>
  [
    ...documents.payments,
    ...documents.cancellations.flatMap(({ copy, refund }) => copy === null ? [refund] : [refund, copy]),
    ...[documents.advanceRefund, documents.finalSale].filter((document) => document !== null)
  ].find(({ status }) => status === "SUBMITTING") ?? null

/** Whether a cancellation gives cash back, so that its signed copy is due (Decisions §5, cancellations). */
export const isCopyDue = (refund: Operation): boolean => hasCash(refund.content.payments)
