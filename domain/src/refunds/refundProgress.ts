import { Schema } from "effect"
import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import type { Operation } from "../operations/Operation.ts"
import type { RefundWorkflowStatus } from "./RefundWorkflow.ts"

/** The facts of a workflow's two documents from which its status follows. */
export interface RefundDocuments {
  readonly refund: DocumentStatus
  /** Whether the refund gives cash back, so that a signed copy is due (Spec, Refunds rule 4). */
  readonly copyDue: boolean
  /** Null until the refund is a receipt; then VALIDATED while it is reserved and not sent. */
  readonly copy: DocumentStatus | null
}

/** The workflow's status; it follows from its documents alone. Source: Decisions §5, Refund workflow. */
export const refundWorkflowStatus = (documents: RefundDocuments): RefundWorkflowStatus => {
  switch (documents.refund) {
    case "RECEIVED":
    case "VALIDATED":
    case "SUBMITTING":
      return "REFUND_PENDING"
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return "REFUND_OUTCOME_UNKNOWN"
    case "REJECTED":
    case "NOT_FISCALIZED":
      return "FAILED"
    case "FISCALIZED":
      return documents.copyDue ? statusAfterRefund(documents.copy) : "COMPLETED"
  }
}

/** The status of a workflow as it is stored. */
export const refundStatusOf = (
  { copy, copyId, refund }: { readonly refund: Pick<Operation, "status">; readonly copyId: string | null; readonly copy: Pick<Operation, "status"> | null }
): RefundWorkflowStatus => refundWorkflowStatus({ refund: refund.status, copyDue: copyId !== null, copy: copy?.status ?? null })

const statusAfterRefund = (copy: DocumentStatus | null): RefundWorkflowStatus => {
  if (copy === "FISCALIZED") return "COMPLETED"
  return copy === "OUTCOME_UNKNOWN" || copy === "RECONCILING" ? "COPY_OUTCOME_UNKNOWN" : "COPY_PENDING"
}

/** The workflow's failure code: the refund's while there is no receipt, then the copy's while that is missing. */
export const refundFailureCode = (
  documents: RefundDocuments,
  codes: { readonly refund: FailureCode | null; readonly copy: FailureCode | null }
): FailureCode | null => {
  if (documents.refund !== "FISCALIZED") return codes.refund
  return documents.copyDue && documents.copy !== "FISCALIZED" ? codes.copy : null
}

/** What happens to the quantities a refund holds; it depends on the refund document alone (Decisions §5). */
export const holdsFollow = (refund: DocumentStatus): "HELD" | "CONSUMED" | "RELEASED" => {
  if (refund === "FISCALIZED") return "CONSUMED"
  return refund === "REJECTED" || refund === "NOT_FISCALIZED" ? "RELEASED" : "HELD"
}

/** Who drives a refund workflow: the request that holds the key, the worker, or an operator (Decisions §4, §5). */
export const RefundActor = Schema.Literals(["caller", "worker", "operator"])
export type RefundActor = typeof RefundActor.Type

/**
 * Whether an actor may send the copy now. A rejected copy waits for the operator; a copy in flight, or one that may have been signed, is sent by
 * nobody. A refund is never sent again. Source: Decisions §5, Refund workflow.
 */
export const mayCopyBeSent = (documents: RefundDocuments, by: RefundActor): boolean => {
  if (documents.refund !== "FISCALIZED" || !documents.copyDue) return false
  if (documents.copy === "REJECTED") return by === "operator"
  return documents.copy === "VALIDATED" || documents.copy === "NOT_FISCALIZED"
}
