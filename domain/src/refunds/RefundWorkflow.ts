import { type DateTime, Schema } from "effect"
import type { FailureCode } from "../documents/DocumentStatus.ts"
import type { FiscalDocument } from "../documents/FiscalDocument.ts"
import type { LineItem } from "../documents/LineItem.ts"
import type { AttentionItem, Operation } from "../operations/Operation.ts"
import type { DocumentReference } from "../references/ReferencedDocument.ts"
import type { BusinessPremiseId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"

/** An item of a refund: a line of the original repeated, with the quantity that is given back. Source: Spec, refund-workflows. */
export interface RefundItem extends LineItem {
  readonly originalLineIndex: number
}

/** Source: Spec, States and transitions, Refund workflow statuses. */
export const RefundWorkflowStatus = Schema.Literals([
  "REFUND_PENDING",
  "REFUND_OUTCOME_UNKNOWN",
  "COPY_PENDING",
  "COPY_OUTCOME_UNKNOWN",
  "COMPLETED",
  "FAILED"
])
export type RefundWorkflowStatus = typeof RefundWorkflowStatus.Type

/** A refund with the signed copy it needs when cash was given back. Source: Spec, Resources, RefundWorkflow. */
export interface RefundWorkflow {
  readonly id: WorkflowId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly status: RefundWorkflowStatus
  readonly original: DocumentReference
  readonly refund: FiscalDocument
  /** Null when no payment was CASH, and until the refund is a receipt. */
  readonly cashRefundCopy: FiscalDocument | null
  readonly failureCode: FailureCode | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The key of the copy that the service issues itself for a cash refund. Source: Spec, Refunds rule 4. */
export const cashRefundCopyKey = (refundKey: string): string => `${refundKey}:copy`

/** The key of the refund whose copy has this key (`cashRefundCopyKey`). */
export const copiedRefundKey = (copyKey: string): string => copyKey.slice(0, -cashRefundCopyKey("").length)

/** The attention item for a refund whose original the store lost: the refund is stored again, its original is not. */
export const originalLost = ({ answer, id }: Pick<Operation, "answer" | "id">): AttentionItem => ({
  kind: "ORIGINAL_LOST",
  detail: `the refund gives back ${answer?.pfr.invoiceNumber ?? "a receipt"} (document ${id}), which the store lost: take back the proof of that document`,
  evidence: answer?.text ?? null
})
