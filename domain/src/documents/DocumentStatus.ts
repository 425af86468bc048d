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
