import type { Migration } from "./Migration.ts"

// Why: the journal's order, and the documents of a status that few have. Only the first one is written on the path of a sale: a sale is
// SUBMITTING and then FISCALIZED, and neither is in the second. What is SUBMITTING is found by its lease (docs/adr/0082).
export const journalOnline: Migration = {
  number: 21,
  name: "journal, online",
  online: true,
  statements: [
    `create index concurrently if not exists operations_journal
      on operations (organization_id, environment, created_at, operation_id) where created_at is not null`,
    `create index concurrently if not exists operations_by_status
      on operations (organization_id, environment, status, created_at, operation_id) where status not in ('FISCALIZED', 'SUBMITTING')`
  ]
}
