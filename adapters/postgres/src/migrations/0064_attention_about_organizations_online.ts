import type { Migration } from "./Migration.ts"

// Why: what step 63 left to do while sales run. One item of a kind is open about an organization at a time.
export const attentionAboutOrganizationsOnline: Migration = {
  number: 64,
  name: "attention about organizations, online",
  online: true,
  statements: [
    `alter table attention validate constraint attention_about_one_thing`,
    `create unique index concurrently if not exists attention_about_organization on attention (organization_id, kind)
      where operation_id is null and element_id is null and person_id is null and acknowledged_at is null`
  ]
}
