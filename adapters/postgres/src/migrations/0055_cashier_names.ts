import type { Migration } from "./Migration.ts"

// Why: refunds and copies issued in the portal printed their person's sign-in address as cashier. A person chooses the name that is printed.
export const cashierNames: Migration = {
  number: 55,
  name: "cashier names",
  statements: [`alter table people add column cashier_name text`]
}
