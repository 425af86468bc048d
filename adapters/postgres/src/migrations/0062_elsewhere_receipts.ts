import type { Migration } from "./Migration.ts"

// Why: what a taxpayer has issued with another ESIR is imported (docs/adr/0240). A table of its own: no statement of the journal, of turnover, of counters
// or of refunds reads it, so that nothing issued elsewhere can be counted as ours.
export const elsewhereReceipts: Migration = {
  number: 62,
  name: "elsewhere receipts",
  statements: [
    `create table elsewhere_receipts (
      organization_id uuid not null,
      environment text not null,
      pfr_number text not null,
      taxpayer_id uuid not null,
      pfr_time timestamptz not null,
      invoice_type text not null,
      transaction_type text not null,
      counter text not null,
      total_amount numeric(24, 4) not null,
      total_tax numeric(24, 4),
      buyer_id text,
      verification_url text,
      journal text,
      standing text not null,
      imported_at timestamptz not null,
      constraint elsewhere_receipts_pk primary key (organization_id, environment, pfr_number),
      constraint elsewhere_receipts_environment_known check (environment in ('sandbox', 'production')),
      constraint elsewhere_receipts_invoice_type_known check (invoice_type in ('NORMAL', 'PROFORMA', 'COPY', 'TRAINING', 'ADVANCE')),
      constraint elsewhere_receipts_transaction_type_known check (transaction_type in ('SALE', 'REFUND')),
      constraint elsewhere_receipts_standing_known check (standing in ('PROVEN', 'CLAIMED')),
      constraint elsewhere_receipts_has_a_source check (verification_url is not null or journal is not null),
      constraint elsewhere_receipts_proven_by_link check (standing = 'CLAIMED' or verification_url is not null)
    )`,
    "create index elsewhere_receipts_in_order on elsewhere_receipts (organization_id, environment, pfr_time desc, pfr_number desc)"
  ]
}
