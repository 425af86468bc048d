import type { Migration } from "./Migration.ts"

// Why: somebody who knows a person's password and guesses at the second factor from many networks is a matter for the operator. Until now an item of the
// attention list was about a document or a security element. Existing rows satisfy the new rule; step 48 tests them while sales run.
export const attentionAboutPeople: Migration = {
  number: 47,
  name: "attention about people",
  statements: [
    `alter table attention add column person_id uuid`,
    `alter table attention drop constraint attention_about_one_thing`,
    `alter table attention add constraint attention_about_one_thing check (num_nonnulls(operation_id, element_id, person_id) = 1) not valid`,
    `create trigger attention_person_immutable before update of person_id on attention
      for each row execute function refuse_change('changing what was raised')`
  ]
}
