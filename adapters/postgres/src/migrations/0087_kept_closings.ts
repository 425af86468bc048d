import type { Migration } from "./Migration.ts"

// Why: a closing that a restore lost was searched for only under its own key. Closed under another key, its advance case got a second Advance Refund (docs/adr/0120).
// Attempts that were kept by an earlier release have no case.
export const keptClosings: Migration = {
  number: 87,
  name: "kept closings",
  statements: [`alter table kept_attempts add column case_id uuid`]
}
