import type { Migration } from "./Migration.ts"

// Why: a refund that a restore lost, and that was taken back, held its key alone. The same receipt could be given back once more under another key (docs/adr/0120).
// `gives_back`: the receipt that the lost refund gives back; `document_id`: the lost document, as answers have had it. What was kept by an earlier release has neither.
export const keptRefunds: Migration = {
  number: 88,
  name: "kept refunds",
  statements: [
    `alter table kept_attempts add column gives_back uuid, add column document_id uuid`,
    `alter table kept_answers add column gives_back uuid`,
    `drop trigger kept_answers_facts_immutable on kept_answers`,
    `create trigger kept_answers_facts_immutable
      before update of organization_id, document_id, detail, invoice_number, environment, key_role, key, case_id, closes, gives_back on kept_answers
      for each row execute function refuse_change('changing a kept answer')`
  ]
}
