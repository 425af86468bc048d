import type { Migration } from "./Migration.ts"

// Why: a database restored to an earlier point has forgotten keys and receipts, and only the operator knows that it was (Decisions §15). While
// `restoring_since` is set nothing is issued, by any host of this release.
export const restore: Migration = {
  number: 28,
  name: "restore",
  statements: ["alter table environment_settings add column restoring_since timestamptz"]
}
