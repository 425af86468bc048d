import type { Migration } from "./Migration.ts"

// Why: a document of a case that becomes a receipt after a closing was reserved goes to the attention list, so each outcome looks for the closing's
// documents; by index, because a case may have a hundred payments. And a closing that an operator gave up leaves its final sale NOT_FISCALIZED for
// good (docs/adr/0126): it must not stand in the way of the next closing's. Sales have no entry in either.
export const closingsOnline: Migration = {
  number: 44,
  name: "closings, online",
  online: true,
  statements: [
    `create index concurrently if not exists operations_closings_in_case on operations (organization_id, workflow_id)
      where workflow_type = 'ADVANCE' and (invoice_type = 'NORMAL' or (invoice_type = 'ADVANCE' and key_role = 'INNER'))`,
    `create unique index concurrently if not exists operations_one_standing_final_sale_in_case on operations (organization_id, workflow_id)
      where workflow_type = 'ADVANCE' and invoice_type = 'NORMAL' and status <> 'REJECTED'
        and failure_code is distinct from 'ADVANCE_REFUND_NOT_FISCALIZED'`,
    "drop index concurrently if exists operations_one_final_sale_in_case"
  ]
}
