import type { Migration } from "./Migration.ts"

// Why: an archive of everything is read for as long as its reader takes (docs/adr/0340), so one transaction cannot hold the turn; a row that ends by itself can.
export const leavingTurns: Migration = {
  number: 68,
  name: "leaving turns",
  statements: [
    `create table leaving_turns (
      organization_id uuid not null,
      turn uuid not null,
      lasts_until timestamptz not null,
      constraint leaving_turns_pk primary key (organization_id)
    )`
  ]
}
