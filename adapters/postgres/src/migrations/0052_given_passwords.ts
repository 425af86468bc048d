import type { Migration } from "./Migration.ts"

// Why: the operator's pages and the command said that a password which they made is changed at the first sign-in, and nothing demanded it.
export const givenPasswords: Migration = {
  number: 52,
  name: "given passwords",
  statements: [`alter table people add column password_given boolean not null default false`]
}
