import type { Migration } from "./Migration.ts"

// Why: a closing that a restore lost was searched for only under its own key. Closed under another key, its advance case got a second Advance Refund (docs/adr/0120).
// `case_id`: the advance case that the lost document changed; `closes`: whether it closed it. What was kept by an earlier release has neither.
// An answer of a document that the database has lost was found by nobody, because its id is never used again: it has its key too.
export const keptClosings: Migration = {
  number: 87,
  name: "kept closings",
  statements: [
    `alter table kept_attempts add column case_id uuid, add column closes boolean`,
    `alter table kept_answers add column environment text, add column key_role text, add column key text, add column case_id uuid, add column closes boolean`,
    `drop trigger kept_answers_facts_immutable on kept_answers`,
    `create trigger kept_answers_facts_immutable before update of organization_id, document_id, detail, invoice_number, environment, key_role, key, case_id, closes on kept_answers
      for each row execute function refuse_change('changing a kept answer')`
  ]
}
