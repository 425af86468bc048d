import type { Migration } from "./Migration.ts"

// Why: a signed answer is written once, with the commit that makes the row a receipt. Nothing of the service changes it later; the hosts' role
// could, because the columns are written by the same statement as the outcome. The condition is judged before the function is called, so the
// outcome's own commit pays for a comparison with null.
export const answersStay: Migration = {
  number: 32,
  name: "answers stay",
  statements: [
    `create trigger operations_answer_immutable
      before update of answer_text, answer_facts, invoice_number, pfr_time, sdc_time, signed_total on operations
      for each row when (old.answer_text is not null) execute function refuse_change('changing a signed answer')`
  ]
}
