import type { Migration } from "./Migration.ts"

// Why: a key belongs to one request, whatever the request was for (Decisions §3). The unique index of `operations` decided that among
// documents only; a case and a delivery each had an index of their own, so a sale could be issued under a key that had opened a case.
//
// What is no document now holds its key by a row of `operations` (docs/adr/0034): one index decides for all, and a sale pays nothing. Such a
// row is of no environment that documents have. A key that two already share stays the document's.
export const heldKeys: Migration = {
  number: 22,
  name: "held keys",
  statements: [
    `alter table operations drop constraint operations_environment_known`,
    `alter table operations add constraint operations_environment_known check (
      environment in ('sandbox', 'production')
      or (environment in ('sandbox key', 'production key') and status = 'RECEIVED' and revision = 0 and attempt = 0)) not valid`
  ]
}
