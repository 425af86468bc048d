import type { Migration } from "./Migration.ts"

// Why: that a form acted was a row of its session, which ended with it, so the same form acted again in the person's next session (docs/adr/0402). A claim is the person's, and is
// deleted by its age. Hosts of the earlier release claim in `portal_forms` alone, which stays for them.
export const sentForms: Migration = {
  number: 86,
  name: "sent forms",
  statements: [
    `create table portal_sent_forms (
      person_id uuid not null,
      form_id text not null,
      claimed_at timestamptz not null,
      constraint portal_sent_forms_pk primary key (person_id, form_id),
      constraint portal_sent_forms_person_fk foreign key (person_id) references people (person_id)
    )`,
    `create index portal_sent_forms_by_age on portal_sent_forms (claimed_at)`
  ]
}
