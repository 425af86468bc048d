import { advanceRefundKey } from "../advances/AdvanceCase.ts"
import { cashRefundCopyKey } from "../refunds/RefundWorkflow.ts"
import type { KeptFile } from "./KeptFile.ts"

const copySuffix = cashRefundCopyKey("")
const refundSuffix = advanceRefundKey("")

/**
 * Whether the service itself made the document of another request: the signed copy of a cash refund, or the Advance Refund of a closing. Its key has the
 * role INNER, which the API does not state. Source: Decisions §3.
 */
export const isMadeByService = (kept: KeptFile): boolean => {
  const { idempotencyKey: key, invoiceType, transactionType } = kept.document
  if (transactionType !== "REFUND") return false
  const path = kept._tag === "Proof" ? kept.proof.request.path : null
  if (invoiceType === "COPY" && key.endsWith(copySuffix)) return path === null || path === "/v1/refund-workflows" || path.endsWith("/cancellations")
  return invoiceType === "ADVANCE" && key.endsWith(refundSuffix) && (path === null || path.endsWith("/closing"))
}
