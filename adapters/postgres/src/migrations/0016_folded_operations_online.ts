import type { Migration } from "./Migration.ts"

// Why: what step 15 left to do without a transaction, while sales run on a table of any size. A number of the V-PFR is unique within its
// environment: a sandbox element may be numbered like a production one. The index takes the old one's name, which releases know.
export const foldedOperationsOnline: Migration = {
  number: 16,
  name: "folded operations, online",
  online: true,
  statements: [
    `alter table operations validate constraint operations_body_once`,
    `alter table operations validate constraint operations_first_attempt_whole`,
    `alter table operations validate constraint operations_first_attempt_counted`,
    `alter table operations validate constraint operations_first_request_id_form`,
    `alter table operations validate constraint operations_first_outcome_known`,
    `alter table operations validate constraint operations_first_search_whole`,
    `alter table operations validate constraint operations_sealed_within_history`,
    `create unique index concurrently if not exists operations_invoice_number_in_environment
      on operations (organization_id, environment, invoice_number) where invoice_number is not null`,
    `drop index concurrently if exists operations_invoice_number_unique`,
    `alter index operations_invoice_number_in_environment rename to operations_invoice_number_unique`,
    `create unique index concurrently if not exists attention_finding_once on attention (organization_id, operation_id, finding)
      where finding is not null`
  ]
}
