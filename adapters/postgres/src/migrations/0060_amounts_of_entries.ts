import type { Migration } from "./Migration.ts"

// Why: documents are found by their amount (docs/adr/0250). Null in entries that a host of an earlier release has added; the worker fills those, and writes
// the receipt's number into their texts. No amount is below 0: -1 stands for a document that could not be read.
export const amountsOfEntries: Migration = {
  number: 60,
  name: "amounts of entries",
  statements: ["alter table journal_entries add column amount numeric"]
}
