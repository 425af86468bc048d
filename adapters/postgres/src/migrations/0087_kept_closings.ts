import type { Migration } from "./Migration.ts"

// Why: a closing that a restore lost was searched for only under its own key. Closed under another key, its advance case got a second Advance Refund (docs/adr/0120).
// `case_id`: the advance case that the lost document changed; `closes`: whether it closed it. Attempts that were kept by an earlier release have neither.
export const keptClosings: Migration = {
  number: 87,
  name: "kept closings",
  statements: [`alter table kept_attempts add column case_id uuid, add column closes boolean`]
}
