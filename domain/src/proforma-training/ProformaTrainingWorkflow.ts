import { type DateTime, Schema } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { FailureCode } from "../documents/FailureCode.ts"
import type { FiscalDocument } from "../documents/FiscalDocument.ts"
import type { DocumentReference } from "../references/ReferenceTarget.ts"
import type { BusinessPremiseId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"

/** Source: Decisions §5, Proforma and training. */
export const ProformaTrainingStatus = Schema.Literals(["PENDING", "OUTCOME_UNKNOWN", "COMPLETED", "FAILED"])
export type ProformaTrainingStatus = typeof ProformaTrainingStatus.Type

/** A proforma or training document, sale or refund, with its status. Source: Decisions §5, Proforma and training. */
export interface ProformaTrainingWorkflow {
  readonly id: WorkflowId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly status: ProformaTrainingStatus
  readonly document: FiscalDocument
  /** The sale a refund gives back; null on a sale. */
  readonly source: DocumentReference | null
  readonly failureCode: FailureCode | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * The workflow's status follows from its one document. A document that was not sent is PENDING: the same key drives it again, and only a rejection
 * ends it without a document (Decisions §3, §5: PENDING answers 503, FAILED 422).
 */
export const proformaTrainingStatus = (document: DocumentStatus): ProformaTrainingStatus => {
  switch (document) {
    case "RECEIVED":
    case "VALIDATED":
    case "SUBMITTING":
    case "NOT_FISCALIZED":
      return "PENDING"
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return "OUTCOME_UNKNOWN"
    case "FISCALIZED":
      return "COMPLETED"
    case "REJECTED":
      return "FAILED"
  }
}
