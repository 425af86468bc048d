import type { Migration } from "./Migration.ts"

// Why: the portal shows when a credential last got a token, so that one nobody uses is found and revoked. Null where it never did, or not since
// this column is there.
export const credentialUse: Migration = {
  number: 31,
  name: "credential use",
  statements: ["alter table credentials add column last_used_at timestamptz"]
}
