import type { Migration } from "./Migration.ts"

// Why: a document whose element could not be opened has no attempt. The receipt of an attempt that a failover lost may be stored for it, as the receipt of no attempt of its own; the check of step 5
// refused that, and the receipt was lost. Rows that are there pass the stricter check.
export const receiptsWithoutAnAttempt: Migration = {
  number: 89,
  name: "receipts without an attempt",
  statements: [
    `alter table operations drop constraint operations_sent_has_attempt,
      add constraint operations_sent_has_attempt check (
        attempt >= 1 or status in ('RECEIVED', 'VALIDATED', 'NOT_FISCALIZED', 'FISCALIZED')) not valid`
  ]
}
