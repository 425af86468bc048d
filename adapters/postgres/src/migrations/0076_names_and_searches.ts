import type { Migration } from "./Migration.ts"

// Why: two things that the portal keeps for people.
//
// - `activity_log.subject_name`: what an act was done to, by the name that it had then (docs/adr/0375). Lines written before have none.
// - `saved_searches`: a person's searches of the journal in one organization (docs/adr/0376).
export const namesAndSearches: Migration = {
  number: 76,
  name: "names and searches",
  statements: [
    `alter table activity_log add column subject_name text`,
    `create table saved_searches (
      organization_id uuid not null,
      person_id uuid not null,
      search_id uuid not null,
      name text not null,
      query text not null,
      created_at timestamptz not null,
      constraint saved_searches_pk primary key (organization_id, person_id, search_id),
      constraint saved_searches_name_given check (name <> '')
    )`,
    `create unique index saved_searches_name_unique on saved_searches (organization_id, person_id, lower(name))`
  ]
}
