import type { Migration } from "./Migration.ts"

// Why: receipts by e-mail (Decisions §12). One row is the caller's key, the delivery and the message's place in the queue, so that one
// commit makes all three. Everything a worker needs to find is in partial indexes over what is still queued, so that millions of sent
// messages cost it nothing. `handing_over_at` is set before a message goes to the mail server: a worker that dies in between leaves it,
// and the next one knows that the server may have the message. The transport's state is one row, shared by all hosts.
export const receiptDeliveries: Migration = {
  number: 17,
  name: "receipt deliveries",
  statements: [
    `alter table delivery_settings add column locale text not null default 'sr-Cyrl'`,
    `alter table delivery_settings add column formats text[]`,
    `alter table delivery_settings add constraint delivery_settings_locale_known check (locale in ('sr-Cyrl', 'sr-Latn', 'en'))`,
    `create table receipt_deliveries (
      organization_id uuid not null,
      delivery_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      fiscal_document_id uuid not null,
      client_id text not null,
      idempotency_key text not null,
      target text not null,
      request_body text not null,
      fingerprint_version integer not null,
      fingerprint text not null,
      recipient text,
      formats text[] not null,
      locale text not null,
      status text not null,
      attempts integer not null,
      maybe_taken integer not null,
      last_error text,
      failure text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      due_at timestamptz not null,
      waiting_since timestamptz not null,
      handing_over_at timestamptz,
      claim uuid,
      claimed_until timestamptz,
      constraint receipt_deliveries_pk primary key (organization_id, delivery_id),
      constraint receipt_deliveries_key_unique unique (organization_id, idempotency_key),
      constraint receipt_deliveries_environment_known check (environment in ('sandbox', 'production')),
      constraint receipt_deliveries_status_known check (status in ('QUEUED', 'SENT', 'FAILED')),
      constraint receipt_deliveries_failure_whole check ((status = 'FAILED') = (failure is not null)),
      constraint receipt_deliveries_counts check (attempts >= 0 and maybe_taken between 0 and 2),
      constraint receipt_deliveries_claim_whole check ((claim is null) = (claimed_until is null)),
      constraint receipt_deliveries_queued_addressed check (recipient is not null or status <> 'QUEUED')
    )`,
    `create index receipt_deliveries_due on receipt_deliveries (due_at) where status = 'QUEUED'`,
    `create index receipt_deliveries_waiting on receipt_deliveries (waiting_since) where status = 'QUEUED'`,
    `create index receipt_deliveries_listed on receipt_deliveries (organization_id, environment, created_at desc, delivery_id desc)`,
    `create index receipt_deliveries_of_document on receipt_deliveries (organization_id, fiscal_document_id)`,
    `create index receipt_deliveries_recent on receipt_deliveries (updated_at) where status <> 'QUEUED'`,
    `create index receipt_deliveries_recipient on receipt_deliveries (organization_id, lower(recipient)) where recipient is not null`,
    `create trigger receipt_deliveries_facts_immutable
      before update of organization_id, delivery_id, environment, taxpayer_id, fiscal_document_id, idempotency_key, created_at on receipt_deliveries
      for each row execute function refuse_change('changing what was asked for')`,
    `create table mail_transport (
      transport text not null,
      failures integer not null,
      detail text,
      try_at timestamptz not null,
      updated_at timestamptz not null,
      constraint mail_transport_pk primary key (transport),
      constraint mail_transport_failures_counted check (failures >= 0)
    )`,
    `insert into mail_transport (transport, failures, detail, try_at, updated_at) values ('smtp', 0, null, now(), now())`
  ]
}
