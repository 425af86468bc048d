import type { Migration } from "./Migration.ts"

// Why: the key of the credentials' digests can be replaced. Which key made a digest tells the operator when the former one is needed no
// more; null where the digest is older than this column.
export const credentialKeys: Migration = {
  number: 26,
  name: "credential keys",
  statements: ["alter table credentials add column digest_key text"]
}
