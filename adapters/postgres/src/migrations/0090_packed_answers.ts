import type { Migration } from "./Migration.ts"

// Why: an answer's signature and encrypted data are in its verification link too, and nothing compresses them (docs/adr/0409). `packs_answers`: hosts store answers without them.
//
// Hosts of earlier releases cannot read such a text. So a database with an organization goes on with whole texts, and a later release, beside which none of those runs any more, changes
// that. A new database packs from its first document on.
export const packedAnswers: Migration = {
  number: 90,
  name: "packed answers",
  statements: [
    "alter table environment_settings add column packs_answers boolean not null default false",
    "update environment_settings set packs_answers = true where not exists (select from organizations)"
  ]
}
