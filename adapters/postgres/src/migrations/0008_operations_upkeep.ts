import type { Migration } from "./Migration.ts"

// Why: every sale leaves one dead version of its row. By default it is cleaned up, and statistics are taken, when a fifth of the table has
// changed, which on a table of years is far too late. Apart from the index, because an engine without these settings may skip it.
export const operationsUpkeep: Migration = {
  number: 8,
  name: "operations upkeep",
  statements: [
    `alter table operations set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`
  ]
}
