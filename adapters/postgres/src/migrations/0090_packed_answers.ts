import type { Migration } from "./Migration.ts"

// Why: an answer's signature and encrypted data are in its verification link too, and nothing compresses them (docs/adr/0409). `packs_answer`: this row's answer is stored without them.
//
// - Hosts of earlier releases cannot read such a text. So a database with an organization goes on storing whole texts, and a later release, beside which none of those runs any more,
//   changes the default. A new database packs from its first document on.
// - The column is in the catalogue only; no row is rewritten.
export const packedAnswers: Migration = {
  number: 90,
  name: "packed answers",
  statements: [
    "alter table operations add column packs_answer boolean not null default false",
    `do $$
    begin
      if not exists (select from organizations) then
        alter table operations alter column packs_answer set default true;
      end if;
    end $$`
  ]
}
