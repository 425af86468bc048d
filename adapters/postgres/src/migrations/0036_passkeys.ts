import type { Migration } from "./Migration.ts"

// Why: a passkey may be a person's second factor (Decisions §13). Only its public half is here: nobody signs in with a copy of this table.
export const passkeys: Migration = {
  number: 36,
  name: "passkeys",
  statements: [
    `create table portal_passkeys (
      passkey_id text not null,
      person_id uuid not null,
      name text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      constraint portal_passkeys_pk primary key (passkey_id),
      constraint portal_passkeys_person_fk foreign key (person_id) references people (person_id),
      constraint portal_passkeys_counter_counts check (counter >= 0)
    )`,
    `create index portal_passkeys_of_person on portal_passkeys (person_id)`
  ]
}
