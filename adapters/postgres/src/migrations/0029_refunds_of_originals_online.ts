import type { Migration } from "./Migration.ts"

// Why: a person who looks at a receipt is shown what became of it (Decisions §13). The index of migration 9 has only refunds that are still open.
// Nothing here is written on the path of a sale.
export const refundsOfOriginalsOnline: Migration = {
  number: 29,
  name: "refunds of originals, online",
  online: true,
  statements: [
    `create index concurrently if not exists refund_workflows_by_original on refund_workflows (organization_id, original_id) where original_id is not null`
  ]
}
