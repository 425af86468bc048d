import { failureCodeOf, type Operation, presentDocument, proformaTrainingStatus } from "@overa/domain"
import { fiscalDocumentJson } from "@overa/host-kit/contract"
import { utcTime } from "@overa/host-kit"

const sourceJson = (reference: Operation["content"]["reference"]) => {
  if (reference === null) return null
  const { fiscalDocumentId, invoiceType, pfrNumber, pfrTime, source, transactionType } = reference
  return { source, fiscalDocumentId, pfrNumber, pfrTime, invoiceType, transactionType }
}

/**
 * A proforma or training workflow in the contract's form; all of it follows from its one document.
 * Source: Decisions §5, Proforma and training.
 *
 * @param document An operation that is part of such a workflow.
 */
export const proformaTrainingJson = (document: Operation) => ({
  id: document.workflow?.id,
  taxpayerId: document.taxpayerId,
  businessPremiseId: document.businessPremiseId,
  clientReference: document.content.clientReference,
  status: proformaTrainingStatus(document.status),
  document: fiscalDocumentJson(presentDocument(document, { withRejection: true })),
  source: sourceJson(document.content.reference),
  failureCode: failureCodeOf(document.status, document.failureCode),
  createdAt: utcTime(document.createdAt),
  updatedAt: utcTime(document.updatedAt)
})
