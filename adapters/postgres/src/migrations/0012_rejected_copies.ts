import type { Migration } from "./Migration.ts"

// Why: an operator may have the rejected copy of a cash refund sent again (Decisions §5; docs/adr/0071). The one way out of REJECTED, and
// only for a document the service composed itself: for a caller's own request a rejection stays final.
export const rejectedCopies: Migration = {
  number: 12,
  name: "rejected copies",
  statements: [
    `drop trigger operations_transition_allowed on operations`,
    `create trigger operations_transition_allowed before update on operations for each row
      when (old.status <> new.status and old.status || ' ' || new.status <> all (array[
        'RECEIVED VALIDATED',
        'VALIDATED SUBMITTING', 'VALIDATED NOT_FISCALIZED',
        'SUBMITTING FISCALIZED', 'SUBMITTING REJECTED', 'SUBMITTING NOT_FISCALIZED', 'SUBMITTING OUTCOME_UNKNOWN',
        'OUTCOME_UNKNOWN RECONCILING', 'OUTCOME_UNKNOWN FISCALIZED', 'OUTCOME_UNKNOWN REJECTED', 'OUTCOME_UNKNOWN NOT_FISCALIZED',
        'RECONCILING FISCALIZED', 'RECONCILING REJECTED', 'RECONCILING OUTCOME_UNKNOWN',
        'NOT_FISCALIZED SUBMITTING', 'NOT_FISCALIZED FISCALIZED'])
        and not (old.status || ' ' || new.status = 'REJECTED SUBMITTING' and old.key_role = 'INNER'))
      execute function refuse_change('this change of status')`
  ]
}
