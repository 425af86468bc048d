import {
  failureCodeOf,
  presentDocument,
  refundFailureCode,
  refundWorkflowStatus,
  type StoredRefund
} from "@overa/domain"
import { DateTime } from "effect"
import { fiscalDocumentJson } from "./fiscalDocumentJson.ts"
import { utcTime } from "./scalars.ts"

/** The documents from which the workflow's status follows. */
const documentsOf = ({ copy, copyId, refund }: StoredRefund) => ({
  refund: refund.status,
  copyDue: copyId !== null,
  copy: copy?.status ?? null
})

export const refundStatus = (stored: StoredRefund) => refundWorkflowStatus(documentsOf(stored))

const originalJson = ({ refund }: StoredRefund) => {
  const { reference } = refund.content
  if (reference === null) throw new Error(`The refund ${refund.id} names no original.`)
  const { fiscalDocumentId, invoiceType, pfrNumber, pfrTime, source, transactionType } = reference
  return { source, fiscalDocumentId, pfrNumber, pfrTime, invoiceType, transactionType }
}

/** A refund workflow as the contract writes it. Source: Spec, Resources, RefundWorkflow. */
export const refundWorkflowJson = (stored: StoredRefund) => {
  const { copy, id, refund } = stored
  const document = (operation: StoredRefund["refund"]) =>
    fiscalDocumentJson(presentDocument(operation, { withRejection: true }))
  const codeOf = ({ failureCode, status }: StoredRefund["refund"]) => failureCodeOf(status, failureCode)
  return {
    id,
    taxpayerId: refund.taxpayerId,
    businessPremiseId: refund.businessPremiseId,
    clientReference: refund.content.clientReference,
    status: refundStatus(stored),
    original: originalJson(stored),
    refund: document(refund),
    cashRefundCopy: copy === null ? null : document(copy),
    failureCode: refundFailureCode(documentsOf(stored), { refund: codeOf(refund), copy: copy === null ? null : codeOf(copy) }),
    createdAt: utcTime(refund.createdAt),
    updatedAt: utcTime(copy === null ? refund.updatedAt : DateTime.max(refund.updatedAt, copy.updatedAt))
  }
}
