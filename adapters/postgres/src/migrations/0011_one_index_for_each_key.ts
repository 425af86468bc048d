import type { Migration } from "./Migration.ts"

// Why: the statements of a sale are planned once a connection, perhaps on an empty table, where every index costs the same. A second index
// that begins with organization_id then serves as well as the primary key in the planner's eyes and later reads an organization's
// whole history for every row (seen: 3 000 rows read to find one attempt). An index whose condition the statement does not name is
// no candidate, so these get one that always holds and that only the queries meant for them imply: `x = $1` implies `x is not null`.
//
// operations_journal served no query; its column order comes back with the first that needs it.
export const oneIndexForEachKey: Migration = {
  number: 11,
  name: "one index for each key",
  statements: [
    `alter table attempts drop constraint attempts_request_id_unique`,
    `create unique index attempts_request_id_unique on attempts (organization_id, request_id) where request_id is not null`,
    `alter table operations drop constraint operations_key_unique`,
    `create unique index operations_key_unique on operations (organization_id, key_role, key) where key is not null`,
    `drop index operations_journal`,
    `alter table refund_workflows drop constraint refund_workflows_refund_unique`,
    `create unique index refund_workflows_refund_unique on refund_workflows (organization_id, refund_id) where refund_id is not null`
  ]
}
