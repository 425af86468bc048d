import type { Migration } from "./Migration.ts"

// Why: a month's book asks which advances were open at its end, over every Advance document up to then. This index has them alone, with all that decides it.
export const advancesOnline: Migration = {
  number: 70,
  name: "advances, online",
  online: true,
  statements: [
    `create index concurrently if not exists operations_advances on operations (organization_id, environment, taxpayer_id, sdc_time)
      include (operation_id, workflow_id, transaction_type, total_amount) where status = 'FISCALIZED' and invoice_type = 'ADVANCE'`
  ]
}
