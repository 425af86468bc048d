import type { Migration } from "./Migration.ts"

// Why: cases are listed latest first, page by page (docs/adr/0215). A sale has no row here. Partial, so that only the list, which names the bound, can be
// planned by it.
export const casesInOrderOnline: Migration = {
  number: 59,
  name: "cases in order, online",
  online: true,
  statements: [
    "create index concurrently if not exists advance_cases_in_order on advance_cases (organization_id, environment, created_at desc, case_id desc) where created_at <= 'infinity'"
  ]
}
