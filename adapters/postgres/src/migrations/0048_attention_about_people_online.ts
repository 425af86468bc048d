import type { Migration } from "./Migration.ts"

// Why: what step 47 left to do while sales run. One item of a kind is open about a person at a time.
export const attentionAboutPeopleOnline: Migration = {
  number: 48,
  name: "attention about people, online",
  online: true,
  statements: [
    `alter table attention validate constraint attention_about_one_thing`,
    `create unique index concurrently if not exists attention_about_person on attention (organization_id, person_id, kind)
      where person_id is not null and acknowledged_at is null`
  ]
}
