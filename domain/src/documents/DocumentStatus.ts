import { Schema } from "effect"

/** Source: Spec, States and transitions, Document statuses. FISCALIZED is the only one that is a receipt. */
export const DocumentStatus = Schema.Literals([
  "RECEIVED",
  "VALIDATED",
  "SUBMITTING",
  "FISCALIZED",
  "REJECTED",
  "NOT_FISCALIZED",
  "OUTCOME_UNKNOWN",
  "RECONCILING"
])
export type DocumentStatus = typeof DocumentStatus.Type

/** In flight, or of unknown outcome: the V-PFR may have a receipt of the document, or may still sign one. */
export const unresolvedStatuses: ReadonlyArray<DocumentStatus> = ["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"]

export const isUnresolved = ({ status }: { readonly status: DocumentStatus }): boolean => unresolvedStatuses.includes(status)

/** Why a document is not a receipt. Source: Spec, Errors, Catalogue; Decisions §4. */
export const FailureCode = Schema.Literals([
  "PFR_UNAVAILABLE",
  "PFR_SECURITY_ELEMENT_UNAVAILABLE",
  "PFR_SUBMISSION_CANCELLED_BEFORE_SEND",
  "PFR_SUBMISSION_FAULT",
  "PFR_VALIDATION_REJECTED",
  "OUTCOME_UNKNOWN",
  "OPERATOR_CONFIRMED_NOT_ISSUED",
  "ADVANCE_REFUND_NOT_FISCALIZED"
])
export type FailureCode = typeof FailureCode.Type
