import type { Migration } from "./Migration.ts"

// Why: organizations make and rotate their credentials themselves (docs/adr/0180).
//
// - `premises`: the only ones that the credential may be used for; null where all. A restriction never changes: a token is verified once for its whole life.
// - `former_digest`: the secret before the last rotation, accepted until `former_until`. Its key is recorded like the other's, because the operator must know when a
//   former key is needed no more.
// - `own_credentials`: whether the operator allows it.
export const ownCredentials: Migration = {
  number: 56,
  name: "own credentials",
  statements: [
    `alter table credentials
      add column name text,
      add column premises uuid[],
      add column former_digest text,
      add column former_digest_key text,
      add column former_until timestamptz,
      add constraint credentials_premises_named check (premises is null or cardinality(premises) > 0),
      add constraint credentials_former_whole check ((former_digest is null) = (former_until is null)),
      add constraint credentials_former_is_sha256 check (former_digest ~ '^[0-9a-f]{64}$')`,
    "alter table organizations add column own_credentials boolean not null default true"
  ]
}
