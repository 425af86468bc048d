import type { Migration } from "./Migration.ts"

// Why: advance cases, and proforma and training documents (Decisions §5). Their documents are operations; here stands only what binds them
// together, so that a sale pays nothing for it.
//
// - A case is a record that never changes. Whoever reserves or sends a document of it locks its row.
// - A case's documents have places, so that their order does not depend on any host's clock. The signed copy of a cash cancellation has its
//   place from the beginning; the document follows when the refund is a receipt.
// - A refund of a proforma or training sale claims it: one claim is held at a time, which the unique index decides among any number of hosts.
// - `late_reference`: the final sale of a case is reserved before the Advance Refund it refers to is signed. Set once, nothing else of what was
//   asked ever changes.
export const workflows: Migration = {
  number: 18,
  name: "workflows",
  statements: [
    `create table advance_cases (
      organization_id uuid not null,
      case_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      premise_id uuid not null,
      client_id text not null,
      key text not null,
      key_target text not null,
      key_body text not null,
      fingerprint_version integer not null,
      fingerprint_digest text not null,
      client_reference text not null,
      buyer text,
      external_advance text,
      created_at timestamptz not null,
      constraint advance_cases_pk primary key (organization_id, case_id),
      constraint advance_cases_key_unique unique (organization_id, key),
      constraint advance_cases_environment_known check (environment in ('sandbox', 'production'))
    )`,
    `create trigger advance_cases_kept before update or delete or truncate on advance_cases
      for each statement execute function refuse_change('changing an advance case')`,
    `create table advance_documents (
      organization_id uuid not null,
      case_id uuid not null,
      place integer not null,
      operation_id uuid not null,
      constraint advance_documents_pk primary key (organization_id, case_id, place),
      constraint advance_documents_operation_unique unique (organization_id, operation_id),
      constraint advance_documents_place_counts_from_one check (place >= 1)
    )`,
    `create trigger advance_documents_kept before update or delete or truncate on advance_documents
      for each statement execute function refuse_change('changing the documents of an advance case')`,
    `create table proforma_training_documents (
      organization_id uuid not null,
      workflow_id uuid not null,
      environment text not null,
      operation_id uuid not null,
      source_id uuid,
      claim text not null,
      constraint proforma_training_documents_pk primary key (organization_id, workflow_id),
      constraint proforma_training_documents_operation_unique unique (organization_id, operation_id),
      constraint proforma_training_documents_claim_known check (claim in ('NONE', 'HELD', 'RELEASED')),
      constraint proforma_training_documents_claim_has_source check ((claim = 'NONE') = (source_id is null))
    )`,
    `create unique index proforma_training_source_claimed_once on proforma_training_documents (organization_id, source_id)
      where claim = 'HELD'`,
    `create index proforma_training_by_source on proforma_training_documents (organization_id, source_id) where source_id is not null`,
    `create trigger proforma_training_documents_identity_immutable
      before update of organization_id, workflow_id, environment, operation_id, source_id on proforma_training_documents
      for each row execute function refuse_change('changing a proforma or training workflow')`,
    `create trigger proforma_training_documents_kept before delete or truncate on proforma_training_documents
      for each statement execute function refuse_change('deleting proforma or training workflows')`,
    `alter table operations add column late_reference text`,
    `create trigger operations_late_reference_once before update of late_reference on operations
      for each row when (old.late_reference is not null or old.status <> 'VALIDATED')
      execute function refuse_change('changing what an operation was asked')`
  ]
}
