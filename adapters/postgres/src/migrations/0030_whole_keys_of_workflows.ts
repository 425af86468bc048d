import type { Migration } from "./Migration.ts"

/** Replaces a unique constraint by an index of the same name that only queries by these columns can use (step 11). */
const onlyForItsQueries = (table: string, name: string, column: string): ReadonlyArray<string> => [
  `create unique index concurrently if not exists ${name}_partial on ${table} (organization_id, ${column}) where ${column} is not null`,
  `alter table ${table} drop constraint if exists ${name}`,
  `alter index if exists ${name}_partial rename to ${name}`
]

// Why: step 11 for the tables of step 18. A second index that begins with organization_id looked as good as the primary key to a planner that
// saw small tables, and each payment of a case then read every case, and every document, of its organization.
export const wholeKeysOfWorkflows: Migration = {
  number: 30,
  name: "whole keys of workflows",
  online: true,
  statements: [
    ...onlyForItsQueries("advance_cases", "advance_cases_key_unique", "key"),
    ...onlyForItsQueries("advance_documents", "advance_documents_operation_unique", "operation_id"),
    ...onlyForItsQueries("proforma_training_documents", "proforma_training_documents_operation_unique", "operation_id")
  ]
}
