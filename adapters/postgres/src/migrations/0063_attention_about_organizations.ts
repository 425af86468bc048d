import type { Migration } from "./Migration.ts"

// Why: an organization that asks again and again which tax identifiers other organizations have is a matter for the operator
// (docs/adr/0280). Such an item is about the organization itself and names neither a document, an element, nor a person. Existing rows satisfy the new
// rule; step 64 tests them while sales run.
export const attentionAboutOrganizations: Migration = {
  number: 63,
  name: "attention about organizations",
  statements: [
    `alter table attention drop constraint attention_about_one_thing`,
    `alter table attention add constraint attention_about_one_thing check (num_nonnulls(operation_id, element_id, person_id) <= 1) not valid`
  ]
}
