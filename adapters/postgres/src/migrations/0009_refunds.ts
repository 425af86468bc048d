import type { Migration } from "./Migration.ts"

// Why: what refunds take of a receipt's lines, and the workflows that hold it (Spec, Refunds; Decisions §5, Refund workflow).
//
// - A line's account is two sums, so that the thousandth partial refund reads as much as the first.
// - The account can only exceed what was sold where a refund taken for not issued turned out to be signed after its hold was given
//   back; that line says so (`over_refunded`), everything else is refused here a second time.
// - A workflow's status is not stored: its two documents say it.
export const refunds: Migration = {
  number: 9,
  name: "refunds",
  statements: [
    `create table refund_lines (
      organization_id uuid not null,
      original_id uuid not null,
      line_index integer not null,
      quantity_original numeric not null,
      amount_original numeric not null,
      quantity_taken numeric not null,
      amount_taken numeric not null,
      over_refunded boolean not null default false,
      constraint refund_lines_pk primary key (organization_id, original_id, line_index),
      constraint refund_lines_never_negative check (quantity_taken >= 0 and amount_taken >= 0),
      constraint refund_lines_within_original check (
        over_refunded or (quantity_taken <= quantity_original and amount_taken <= amount_original))
    )`,
    `create table refund_workflows (
      organization_id uuid not null,
      workflow_id uuid not null,
      environment text not null,
      original_id uuid not null,
      refund_id uuid not null,
      copy_id uuid,
      holds text not null,
      created_at timestamptz not null,
      constraint refund_workflows_pk primary key (organization_id, workflow_id),
      constraint refund_workflows_refund_unique unique (organization_id, refund_id),
      constraint refund_workflows_holds_known check (holds in ('HELD', 'CONSUMED', 'RELEASED'))
    )`,
    `create index refund_workflows_held on refund_workflows (organization_id, original_id) where holds = 'HELD'`,
    `create table refund_entries (
      organization_id uuid not null,
      workflow_id uuid not null,
      line_index integer not null,
      quantity numeric not null,
      amount numeric not null,
      constraint refund_entries_pk primary key (organization_id, workflow_id, line_index),
      constraint refund_entries_positive check (quantity > 0 and amount >= 0)
    )`,
    `create trigger refund_workflows_identity_immutable
      before update of organization_id, workflow_id, environment, original_id, refund_id, copy_id, created_at on refund_workflows
      for each row execute function refuse_change('changing a refund workflow')`,
    `create trigger refund_workflows_kept before delete or truncate on refund_workflows
      for each statement execute function refuse_change('deleting refund workflows')`,
    `create trigger refund_entries_kept before update or delete or truncate on refund_entries
      for each statement execute function refuse_change('changing what a refund takes')`,
    `create trigger refund_lines_kept before delete or truncate on refund_lines
      for each statement execute function refuse_change('deleting a receipt''s account')`,
    `analyze refund_lines, refund_workflows, refund_entries`
  ]
}
