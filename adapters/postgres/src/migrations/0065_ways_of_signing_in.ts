import type { Migration } from "./Migration.ts"

// Why: an address at the sign-in issuer changes hands, an account there does not (docs/adr/0315); who has lost the second factor signs in with a recovery code. Both are
// found by digest or account, and removed when used or when the account begins anew.
export const waysOfSigningIn: Migration = {
  number: 65,
  name: "ways of signing in",
  statements: [
    `create table portal_issuer_accounts (
      issuer text not null,
      subject text not null,
      person_id uuid not null,
      linked_at timestamptz not null,
      constraint portal_issuer_accounts_pk primary key (issuer, subject),
      constraint portal_issuer_accounts_one_of_person unique (person_id, issuer),
      constraint portal_issuer_accounts_person_fk foreign key (person_id) references people (person_id)
    )`,
    `create table portal_recovery_codes (
      person_id uuid not null,
      code_digest text not null,
      made_at timestamptz not null,
      constraint portal_recovery_codes_pk primary key (person_id, code_digest),
      constraint portal_recovery_codes_person_fk foreign key (person_id) references people (person_id),
      constraint portal_recovery_codes_digest_is_sha256 check (code_digest ~ '^[0-9a-f]{64}$')
    )`
  ]
}
