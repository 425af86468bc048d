import type { Migration } from "./Migration.ts"

// Why: of one advance case at most one document is being sent, and at most one final sale is a receipt (Decisions §5, Advance case). The
// case's row lock decides it; these two hold it where code fails. Sales have no entry in either.
export const oneInFlight: Migration = {
  number: 19,
  name: "one document in flight for each advance case",
  online: true,
  statements: [
    `create unique index concurrently if not exists operations_one_in_flight_in_case on operations (organization_id, workflow_id)
      where workflow_type = 'ADVANCE' and status = 'SUBMITTING' and invoice_type <> 'COPY'`,
    `create unique index concurrently if not exists operations_one_final_sale_in_case on operations (organization_id, workflow_id)
      where workflow_type = 'ADVANCE' and invoice_type = 'NORMAL' and status <> 'REJECTED'`
  ]
}
