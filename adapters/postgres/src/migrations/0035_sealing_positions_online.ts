import type { Migration } from "./Migration.ts"

// Why: operations at rest in the order in which they moved, which the sealer reads from its position on (docs/adr/0084). A document in flight is
// not in it, so that a sale is written here once, with its outcome. The index of what was not yet marked as sealed goes: nothing is marked any more.
export const sealingPositionsOnline: Migration = {
  number: 35,
  name: "sealing positions, online",
  online: true,
  statements: [
    `create index concurrently if not exists operations_moved on operations (organization_id, environment, moved_by, operation_id)
      where moved_by is not null and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')`,
    "drop index concurrently if exists operations_unsealed"
  ]
}
