import { DateTime } from "effect"
import { failureCodeOf, presentDocument } from "../documents/FiscalDocument.ts"
import type { FailureCode } from "../documents/DocumentStatus.ts"
import type { Operation } from "../operations/Operation.ts"
import { totalAdvance } from "./advanceArithmetic.ts"
import type { AdvanceCase, StoredAdvanceCase } from "./AdvanceCase.ts"
import { advanceSales, cancelledSaleIds, type CaseDocuments, caseDocuments, caseStateOf } from "./caseDocuments.ts"


/**
 * The document the case waits for, or that ended it: also the final sale of a CLOSED case, which is a receipt. A rejected final sale after a signed
 * Advance Refund is one the case waits for, until another closing replaces it. Null while the case is OPEN.
 */
const blockingDocument = (documents: CaseDocuments): Operation | null => {
  const { advanceRefund, cancellations, finalSale, payments } = documents
  if (advanceRefund !== null && advanceRefund.status !== "FISCALIZED") return advanceRefund
  if (finalSale !== null && finalSale.status !== "REJECTED") return finalSale
  const unknown = [...payments, ...cancellations.map(({ refund }) => refund)].find(({ status }) =>
    status === "OUTCOME_UNKNOWN" || status === "RECONCILING"
  ) ?? null
  return unknown ?? (advanceRefund === null ? null : finalSale)
}

/** The failure code of the document that blocks the case; for a FAILED case, the failure code of the rejection. */
const caseFailureCode = (documents: CaseDocuments): FailureCode | null => {
  const blocking = blockingDocument(documents)
  return blocking === null ? null : failureCodeOf(blocking.status, blocking.failureCode)
}

/**
 * A case as callers see it.
 *
 * @param current The document of this request; null on a read and on opening.
 * @param options Rejections are shown of a single case and never in lists (Spec, Resources, FiscalDocument).
 */
export const presentAdvanceCase = (
  stored: StoredAdvanceCase,
  current: Operation | null,
  options: { readonly withRejection: boolean } = { withRejection: true }
): AdvanceCase => {
  const { opened } = stored
  const present = (operation: Operation) => presentDocument(operation, options)
  const presentOrNull = (operation: Operation | null) => operation === null ? null : present(operation)
  const documents = caseDocuments(stored.documents)
  const sales = advanceSales(documents)
  return {
    id: opened.id,
    taxpayerId: opened.taxpayerId,
    businessPremiseId: opened.businessPremiseId,
    clientReference: opened.clientReference,
    state: caseStateOf(documents),
    buyer: opened.buyer,
    advanceSales: documents.payments.map(present),
    cancelledAdvanceSaleIds: cancelledSaleIds(documents),
    advanceCancellations: documents.cancellations.map(({ copy, refund }) => ({ refund: present(refund), copy: presentOrNull(copy) })),
    externalAdvance: opened.externalAdvance,
    totalAdvance: totalAdvance(sales, opened.externalAdvance),
    remainingPayments: documents.finalSale?.content.payments ?? null,
    advanceRefund: presentOrNull(documents.advanceRefund),
    finalSale: presentOrNull(documents.finalSale),
    current: presentOrNull(current),
    failureCode: caseFailureCode(documents),
    createdAt: opened.createdAt,
    updatedAt: stored.documents.reduce((latest, { updatedAt }) => DateTime.max(latest, updatedAt), opened.createdAt)
  }
}

/**
 * The document that decides the answer to a closing: the Advance Refund until it is a receipt, then the final sale. After a rejected
 * Advance Refund it is the final sale too, which then says ADVANCE_REFUND_NOT_FISCALIZED (Spec, Errors, Catalogue).
 */
export const closingCurrent = (documents: CaseDocuments): Operation | null => {
  const { advanceRefund, finalSale } = documents
  const refundDecides = advanceRefund !== null && advanceRefund.status !== "FISCALIZED" && advanceRefund.status !== "REJECTED"
  return refundDecides ? advanceRefund : finalSale
}
