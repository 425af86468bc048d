import type { Migration } from "./Migration.ts"

// Why: forgotten passwords. One link is open for a person at a time, known by its token's digest, so that a copy of the table opens nothing.
export const portalResets: Migration = {
  number: 51,
  name: "portal resets",
  statements: [
    `create table portal_resets (
      person_id uuid not null,
      reset_id uuid not null,
      token_digest text not null,
      expires_at timestamptz not null,
      constraint portal_resets_pk primary key (person_id),
      constraint portal_resets_token_unique unique (token_digest),
      constraint portal_resets_person_fk foreign key (person_id) references people (person_id),
      constraint portal_resets_digest_is_sha256 check (token_digest ~ '^[0-9a-f]{64}$')
    )`
  ]
}
