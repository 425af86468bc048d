import type { Migration } from "./Migration.ts"

// Why: the indexes of 0060. The first one serves a search for an amount; the second one is empty once the worker has filled the entries of an earlier release.
export const amountsOfEntriesOnline: Migration = {
  number: 61,
  name: "amounts of entries, online",
  online: true,
  statements: [
    "create index concurrently if not exists journal_entries_by_amount on journal_entries (organization_id, environment, amount) where amount is not null",
    "create index concurrently if not exists journal_entries_unfilled on journal_entries (organization_id, environment) where amount is null"
  ]
}
