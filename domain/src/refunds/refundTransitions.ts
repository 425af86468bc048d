import { Result, Schema } from "effect"
import { TransitionNotAllowed } from "../documents/documentTransitions.ts"
import type { RefundWorkflowStatus } from "./RefundWorkflow.ts"

/** What can happen to a refund workflow; each is the outcome of one of its two documents. */
export const RefundEvent = Schema.Literals([
  "refundSignedWithCopyDue",
  "refundSignedWithoutCopy",
  "refundRejected",
  "refundNotSent",
  "refundUnknown",
  "refundConfirmedNotIssued",
  "copySent",
  "copySigned",
  "copyNotSent",
  "copyUnknown",
  "copyRejected",
  "copyConfirmedNotIssued",
  "copyRetriedByOperator"
])
export type RefundEvent = typeof RefundEvent.Type

/**
 * The refund workflow as one table: status × event → status. A missing cell is a move that must not happen.
 *
 * Once the refund is a receipt the workflow never fails: whatever becomes of the copy, it is pending, unknown or done. FAILED is left
 * only when a refund that was taken for not issued turns out to be signed after all.
 * Source: Spec, Refund workflow statuses and transitions; Decisions §4 (late answers), §5 Refund workflow.
 */
export const refundTransitions = {
  REFUND_PENDING: {
    refundSignedWithCopyDue: "COPY_PENDING",
    refundSignedWithoutCopy: "COMPLETED",
    refundRejected: "FAILED",
    refundNotSent: "FAILED",
    refundUnknown: "REFUND_OUTCOME_UNKNOWN"
  },
  REFUND_OUTCOME_UNKNOWN: {
    refundSignedWithCopyDue: "COPY_PENDING",
    refundSignedWithoutCopy: "COMPLETED",
    refundRejected: "FAILED",
    refundUnknown: "REFUND_OUTCOME_UNKNOWN",
    refundConfirmedNotIssued: "FAILED"
  },
  COPY_PENDING: {
    copySent: "COPY_PENDING",
    copySigned: "COMPLETED",
    copyNotSent: "COPY_PENDING",
    copyUnknown: "COPY_OUTCOME_UNKNOWN",
    copyRejected: "COPY_PENDING",
    copyRetriedByOperator: "COPY_PENDING"
  },
  COPY_OUTCOME_UNKNOWN: {
    copySigned: "COMPLETED",
    copyUnknown: "COPY_OUTCOME_UNKNOWN",
    copyRejected: "COPY_PENDING",
    copyConfirmedNotIssued: "COPY_PENDING"
  },
  COMPLETED: {},
  FAILED: { refundSignedWithCopyDue: "COPY_PENDING", refundSignedWithoutCopy: "COMPLETED" }
} as const satisfies Record<RefundWorkflowStatus, Partial<Record<RefundEvent, RefundWorkflowStatus>>>

/** Who may cause a move: the request that holds the key, the worker, or an operator (Decisions §4, §5). */
export const RefundActor = Schema.Literals(["caller", "worker", "operator"])
export type RefundActor = typeof RefundActor.Type

/** The actors of each event. A worker learns outcomes by searching; it sends a copy, never a refund. */
export const refundEventActors = {
  refundSignedWithCopyDue: ["caller", "worker", "operator"],
  refundSignedWithoutCopy: ["caller", "worker", "operator"],
  refundRejected: ["caller", "worker"],
  refundNotSent: ["caller"],
  refundUnknown: ["caller", "worker"],
  refundConfirmedNotIssued: ["operator"],
  copySent: ["caller", "worker"],
  copySigned: ["caller", "worker", "operator"],
  copyNotSent: ["caller", "worker"],
  copyUnknown: ["caller", "worker"],
  copyRejected: ["caller", "worker"],
  copyConfirmedNotIssued: ["operator"],
  copyRetriedByOperator: ["operator"]
} as const satisfies Record<RefundEvent, ReadonlyArray<RefundActor>>

/** The status that follows, or the refusal of the move. */
export const nextRefundStatus = (
  from: RefundWorkflowStatus,
  event: RefundEvent
): Result.Result<RefundWorkflowStatus, TransitionNotAllowed> => {
  const row: Partial<Record<RefundEvent, RefundWorkflowStatus>> = refundTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}
