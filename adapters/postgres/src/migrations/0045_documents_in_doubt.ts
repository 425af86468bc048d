import type { Migration } from "./Migration.ts"

// Why: a document about which an item is open that says that there may be a receipt which it does not have was still told to be retryable, or rejected
// (docs/adr/0123). `in_doubt` says that such an item is open; reads and the next attempt need no other table for it.
export const documentsInDoubt: Migration = {
  number: 45,
  name: "documents in doubt",
  statements: ["alter table operations add column in_doubt boolean not null default false"]
}
