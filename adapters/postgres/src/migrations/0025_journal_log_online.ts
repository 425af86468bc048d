import type { Migration } from "./Migration.ts"

// Why: what waits to be sealed. A document in flight is not in it, so that a sale is written here once, with its outcome, and the sealer never
// holds the row lock that an outcome needs (docs/adr/0084).
export const journalLogOnline: Migration = {
  number: 25,
  name: "journal log, online",
  online: true,
  statements: [
    `create index concurrently if not exists operations_unsealed on operations (organization_id, environment, updated_at, operation_id)
      where sealed < revision and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')`
  ]
}
