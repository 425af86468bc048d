import type { Migration } from "./Migration.ts"

// Why: a browser in which somebody has signed in was known for ever, also after a new password. Marks are dated now; those made before this time are not known.
export const knownDevices: Migration = {
  number: 49,
  name: "known devices",
  statements: [`alter table people add column devices_since timestamptz`]
}
