import type { Migration } from "./Migration.ts"

// Why: `organization_id` is where the person was last as a member. It also said for which organization an operator had given a reason, so an operator who was a member had given
// one by signing in (docs/adr/0402). In a session of the earlier release nothing is opened: the reason is asked for once more.
export const openedOrganizations: Migration = {
  number: 85,
  name: "opened organizations",
  statements: [`alter table portal_sessions add column opened_organization_id uuid`]
}
