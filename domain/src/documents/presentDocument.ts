import type { Operation } from "../operations/Operation.ts"
import { failureCodeOf, retryableOf } from "./failureAdvice.ts"
import type { FiscalDocument } from "./FiscalDocument.ts"

/**
 * An operation as callers see it. Only FISCALIZED is a receipt: every other status shows no PFR facts, whatever is stored beside it
 * (Spec, Document statuses).
 *
 * @param options `withRejection` on single reads and POST answers, never in lists (Spec, FiscalDocument; Decisions §10).
 */
export const presentDocument = (
  operation: Operation,
  options: { readonly withRejection: boolean }
): FiscalDocument => {
  const { content, status } = operation
  const receipt = status === "FISCALIZED" ? operation.answer : null
  return {
    id: operation.id,
    taxpayerId: operation.taxpayerId,
    businessPremiseId: operation.businessPremiseId,
    idempotencyKey: operation.boundKey.key,
    clientReference: content.clientReference,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType,
    cashierId: content.cashier.id,
    buyerId: content.buyer?.id ?? null,
    buyerDetails: operation.buyerDetails,
    status,
    fiscalized: receipt !== null,
    failureCode: failureCodeOf(status, operation.failureCode),
    pfrRejection: options.withRejection && status === "REJECTED" ? operation.rejection : null,
    retryable: retryableOf(status, operation.failureCode),
    pfr: receipt === null ? null : receipt.pfr,
    preferredPaperFormat: receipt === null ? null : content.preferredPaperFormat,
    reference: content.reference === null ? null : {
      fiscalDocumentId: content.reference.fiscalDocumentId,
      pfrNumber: content.reference.pfrNumber,
      pfrTime: content.reference.pfrTime
    },
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt
  }
}

/** The kind of a document, `NORMAL_SALE` for example (Decisions §5, Operations). */
export const documentKind = (content: Pick<Operation["content"], "invoiceType" | "transactionType">): string =>
  `${content.invoiceType}_${content.transactionType}`
