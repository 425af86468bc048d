import type { Migration } from "./Migration.ts"

// Why: the activity log has the documents that people asked for in the portal, and the receipts that they had sent, read from where their first commit
// stores them (docs/adr/0375). Nearly all rows of these tables are of programs; these indexes have the others alone.
export const actsOfPeopleOnline: Migration = {
  number: 77,
  name: "acts of people, online",
  online: true,
  statements: [
    "create index concurrently if not exists operations_of_people on operations (organization_id, created_at) where client_id like 'portal:%'",
    "create index concurrently if not exists receipt_deliveries_of_people on receipt_deliveries (organization_id, created_at) where client_id like 'portal:%'"
  ]
}
