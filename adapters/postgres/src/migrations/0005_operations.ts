import type { Migration } from "./Migration.ts"

// Why: the durable operations, the heart of the service (Spec, purpose 7; Decisions §§3, 4).
//
// - What was asked never changes: a trigger on those columns refuses it. Because the trigger names its columns, the outcome's
//   update does not pay for it.
// - Which status may follow which is held here a second time, beside the domain's own table of transitions.
// - attempts and transitions carry no foreign key to operations: they are only ever written by the statement that writes the
//   operation, operations cannot be deleted, and four key checks per sale would cost about as much as the sale itself.
// - Payloads are text, never jsonb: they are evidence, kept as they came, and are read whole.
export const operations: Migration = {
  number: 5,
  name: "operations",
  statements: [
    `create table operations (
      organization_id uuid not null,
      operation_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      premise_id uuid not null,
      client_id text not null,
      key_role text not null,
      key text not null,
      key_target text not null,
      key_body text not null,
      fingerprint_version integer not null,
      fingerprint_digest text not null,
      content text not null,
      invoice_type text not null,
      transaction_type text not null,
      client_reference text not null,
      cashier_id text not null,
      buyer_id text,
      total_amount numeric not null,
      workflow_type text,
      workflow_id uuid,
      created_at timestamptz not null,
      status text not null,
      status_before text,
      revision integer not null,
      attempt integer not null,
      host_id text,
      boot_id text,
      lease_until timestamptz,
      failure_code text,
      rejection text,
      answer_text text,
      answer_facts text,
      invoice_number text,
      pfr_time text,
      sdc_time timestamptz,
      signed_total numeric,
      buyer_details text,
      next_check_at timestamptz,
      checks integer not null default 0,
      updated_at timestamptz not null,
      constraint operations_pk primary key (organization_id, operation_id),
      constraint operations_key_unique unique (organization_id, key_role, key),
      constraint operations_environment_known check (environment in ('sandbox', 'production')),
      constraint operations_key_role_known check (key_role in ('REQUEST', 'INNER')),
      constraint operations_type_known check (
        invoice_type in ('NORMAL', 'COPY', 'ADVANCE', 'PROFORMA', 'TRAINING') and transaction_type in ('SALE', 'REFUND')),
      constraint operations_workflow_whole check ((workflow_type is null) = (workflow_id is null)),
      constraint operations_workflow_known check (workflow_type in ('REFUND', 'ADVANCE', 'PROFORMA_TRAINING')),
      constraint operations_status_known check (status in ('RECEIVED', 'VALIDATED', 'SUBMITTING', 'FISCALIZED', 'REJECTED',
        'NOT_FISCALIZED', 'OUTCOME_UNKNOWN', 'RECONCILING')),
      constraint operations_receipt_has_answer check (
        (status = 'FISCALIZED') = (answer_text is not null and answer_facts is not null and invoice_number is not null)),
      constraint operations_only_receipts_have_numbers check (status = 'FISCALIZED'
        or (answer_text is null and answer_facts is null and invoice_number is null and pfr_time is null
          and sdc_time is null and signed_total is null)),
      constraint operations_rejection_where_rejected check ((status = 'REJECTED') = (rejection is not null)),
      constraint operations_failure_code_fits check (case status
        when 'REJECTED' then coalesce(failure_code = 'PFR_VALIDATION_REJECTED', false)
        when 'NOT_FISCALIZED' then coalesce(failure_code in ('PFR_UNAVAILABLE', 'PFR_SECURITY_ELEMENT_UNAVAILABLE',
          'PFR_SUBMISSION_CANCELLED_BEFORE_SEND', 'OPERATOR_CONFIRMED_NOT_ISSUED', 'ADVANCE_REFUND_NOT_FISCALIZED'), false)
        when 'OUTCOME_UNKNOWN' then coalesce(failure_code in ('OUTCOME_UNKNOWN', 'PFR_SUBMISSION_FAULT'), false)
        when 'RECONCILING' then coalesce(failure_code in ('OUTCOME_UNKNOWN', 'PFR_SUBMISSION_FAULT'), false)
        else failure_code is null end),
      constraint operations_attempt_counted check (attempt >= 0),
      constraint operations_sent_has_attempt check (
        attempt >= 1 or status in ('RECEIVED', 'VALIDATED', 'NOT_FISCALIZED')),
      constraint operations_work_is_leased check (status not in ('SUBMITTING', 'RECONCILING') or lease_until is not null)
    )`,
    `create unique index operations_invoice_number_unique on operations (organization_id, invoice_number)
      where invoice_number is not null`,
    `create index operations_journal on operations (organization_id, environment, created_at, operation_id)`,
    `create index operations_due on operations (next_check_at, created_at) where next_check_at is not null`,
    `create index operations_leased on operations (lease_until) where lease_until is not null`,
    `create trigger operations_request_immutable
      before update of organization_id, operation_id, environment, taxpayer_id, premise_id, client_id, key_role, key, key_target,
        key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type, client_reference, cashier_id,
        buyer_id, total_amount, workflow_type, workflow_id, created_at
      on operations for each row execute function refuse_change('changing what an operation was asked')`,
    `create trigger operations_transition_allowed before update on operations for each row
      when (old.status <> new.status and old.status || ' ' || new.status <> all (array[
        'RECEIVED VALIDATED',
        'VALIDATED SUBMITTING', 'VALIDATED NOT_FISCALIZED',
        'SUBMITTING FISCALIZED', 'SUBMITTING REJECTED', 'SUBMITTING NOT_FISCALIZED', 'SUBMITTING OUTCOME_UNKNOWN',
        'OUTCOME_UNKNOWN RECONCILING', 'OUTCOME_UNKNOWN FISCALIZED', 'OUTCOME_UNKNOWN REJECTED', 'OUTCOME_UNKNOWN NOT_FISCALIZED',
        'RECONCILING FISCALIZED', 'RECONCILING REJECTED', 'RECONCILING OUTCOME_UNKNOWN',
        'NOT_FISCALIZED SUBMITTING', 'NOT_FISCALIZED FISCALIZED']))
      execute function refuse_change('this change of status')`,
    `create trigger operations_kept before delete or truncate on operations
      for each statement execute function refuse_change('deleting operations')`,
    `create table attempts (
      organization_id uuid not null,
      operation_id uuid not null,
      number integer not null,
      request_id text not null,
      element_id uuid not null,
      jid text not null,
      host_id text not null,
      boot_id text not null,
      started_at timestamptz not null,
      outcome text,
      answer_text text,
      last_search_at timestamptz,
      last_search_found boolean,
      constraint attempts_pk primary key (organization_id, operation_id, number),
      constraint attempts_request_id_unique unique (organization_id, request_id),
      constraint attempts_number_counts_from_one check (number >= 1),
      constraint attempts_request_id_form check (length(request_id) = 32),
      constraint attempts_outcome_known check (outcome in ('SIGNED', 'REJECTED', 'NOT_SENT', 'NO_ANSWER')),
      constraint attempts_search_whole check ((last_search_at is null) = (last_search_found is null))
    )`,
    `create trigger attempts_identity_immutable
      before update of organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at on attempts
      for each row execute function refuse_change('changing an attempt')`,
    `create trigger attempts_kept before delete or truncate on attempts
      for each statement execute function refuse_change('deleting attempts')`,
    `create table transitions (
      organization_id uuid not null,
      operation_id uuid not null,
      position integer not null,
      from_status text,
      to_status text not null,
      at timestamptz not null,
      cause text not null,
      actor text not null,
      attempt integer not null,
      constraint transitions_pk primary key (organization_id, operation_id, position),
      constraint transitions_position_counts_from_one check (position >= 1),
      constraint transitions_first_has_no_origin check ((position = 1) = (from_status is null)),
      constraint transitions_actor_given check (actor <> '')
    )`,
    // Statement triggers, so that a forbidden statement fails even where it would touch no row, and inserts pay nothing.
    `create trigger transitions_append_only before update or delete or truncate on transitions
      for each statement execute function refuse_change('changing a transition')`,
    `create table attention (
      organization_id uuid not null,
      attention_id uuid not null default gen_random_uuid(),
      operation_id uuid not null,
      kind text not null,
      detail text not null,
      evidence text,
      raised_at timestamptz not null,
      acknowledged_at timestamptz,
      acknowledged_by text,
      acknowledgement text,
      constraint attention_pk primary key (organization_id, attention_id),
      constraint attention_acknowledged_whole check ((acknowledged_at is null) = (acknowledged_by is null))
    )`,
    `create index attention_open on attention (raised_at) where acknowledged_at is null`,
    `create index attention_by_operation on attention (organization_id, operation_id)`,
    `create trigger attention_facts_immutable
      before update of organization_id, attention_id, operation_id, kind, detail, evidence, raised_at on attention
      for each row execute function refuse_change('changing what was raised')`,
    `create trigger attention_kept before delete or truncate on attention
      for each statement execute function refuse_change('deleting from the attention list')`
  ]
}
