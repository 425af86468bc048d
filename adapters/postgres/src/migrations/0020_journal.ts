import type { Migration } from "./Migration.ts"

// Why: searches and reports over the journal (Decisions §5, Journal; docs/adr/0082). Nothing here is written on the path of a receipt: the
// worker takes operations in some minutes after they were made. What it has not taken in yet is read from `operations` itself.
//
// - `journal_entries`: what a document says and never changes, as folded text and as numbers of its parts and of the values that filters ask
//   for, made with organization, environment and month.
// - `journal_horizons`: every operation made up to `taken_to` is in `journal_entries`.
// - `journal_pending`: operations taken in before they were a receipt, and which may still become one.
// - `turnover_parts`: a receipt as the turnover report sees it, one row for each share and tax; the four flags mark the rows by which receipts
//   are counted, whatever the report is grouped by.
export const journal: Migration = {
  number: 20,
  name: "journal",
  statements: [
    `create table journal_entries (
      organization_id uuid not null,
      operation_id uuid not null,
      environment text not null,
      created_at timestamptz not null,
      search_text text not null,
      search_terms integer[] not null,
      labels text[] not null,
      constraint journal_entries_pk primary key (organization_id, operation_id)
    )`,
    `create index journal_entries_search on journal_entries using gin (search_terms)`,
    `create table journal_horizons (
      organization_id uuid not null,
      environment text not null,
      taken_to timestamptz not null,
      first_at timestamptz,
      constraint journal_horizons_pk primary key (organization_id, environment)
    )`,
    `create table journal_pending (
      organization_id uuid not null,
      operation_id uuid not null,
      environment text not null,
      constraint journal_pending_pk primary key (organization_id, operation_id)
    )`,
    `create table turnover_parts (
      organization_id uuid not null,
      operation_id uuid not null,
      position integer not null,
      environment text not null,
      taxpayer_id uuid not null,
      premise_id uuid not null,
      cashier_id text not null,
      sdc_time timestamptz not null,
      day text not null,
      label_set text not null,
      payment_type text,
      paras bigint not null,
      tax_label text,
      tax bigint not null,
      counts_receipt boolean not null,
      counts_payment boolean not null,
      counts_labels boolean not null,
      counts_part boolean not null,
      constraint turnover_parts_pk primary key (organization_id, operation_id, position)
    )`,
    `create index turnover_parts_by_time on turnover_parts (organization_id, environment, sdc_time) where sdc_time is not null`,
    `analyze journal_entries, journal_horizons, journal_pending, turnover_parts`
  ]
}
