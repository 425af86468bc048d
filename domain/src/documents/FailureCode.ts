import { Schema } from "effect"

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
