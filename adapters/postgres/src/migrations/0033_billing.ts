import type { Migration } from "./Migration.ts"

const once = (table: string, what: string): string =>
  `create trigger ${table}_append_only before update or delete or truncate on ${table} for each statement execute function refuse_change('${what}')`

// Why: what organizations pay for the service (docs/adr/0113). Nothing of it is on the path of a receipt.
//
// - `licence_changes`: a licence as it was from each instant on; `licences` knows only the present one, and a month is billed after its end.
// - `price_lists`, `invoice_issuers`: versions that are added and never changed.
// - `invoices`: what was issued. The number's place after the one before it is a foreign key, so a year's numbers have no gap whoever inserts,
//   and rows are never changed or deleted. One invoice for each organization and month.
// - `payment_notes`: what the operator noted about an invoice's payment; the latest holds.
//
// Numbers run over all organizations, so invoices are not split by organization.
export const billing: Migration = {
  number: 33,
  name: "billing",
  statements: [
    `create table licence_changes (
      organization_id uuid not null,
      changed_at timestamptz not null,
      starts_at timestamptz not null,
      expires_at timestamptz,
      suspended boolean not null,
      modules text[] not null,
      constraint licence_changes_pk primary key (organization_id, changed_at),
      constraint licence_changes_organization_fk foreign key (organization_id) references organizations (organization_id)
    )`,
    `insert into licence_changes (organization_id, changed_at, starts_at, expires_at, suspended, modules)
      select organization_id, case when suspended then updated_at else least(starts_at, updated_at) end, starts_at, expires_at, suspended, modules from licences`,
    once("licence_changes", "changing what a licence was"),
    `create table price_lists (
      version integer not null,
      valid_from text not null,
      licence_fee numeric(11, 2) not null,
      advance_fee numeric(11, 2) not null,
      email_fee numeric(11, 2) not null,
      document_price numeric(11, 2) not null,
      vat_rate numeric(4, 2) not null,
      decided_at timestamptz not null,
      constraint price_lists_pk primary key (version),
      constraint price_lists_counted check (version > 0),
      constraint price_lists_from_a_month check (valid_from ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      constraint price_lists_not_negative check (licence_fee >= 0 and advance_fee >= 0 and email_fee >= 0 and document_price >= 0 and vat_rate >= 0)
    )`,
    once("price_lists", "changing a price list"),
    `create table invoice_issuers (
      version integer not null,
      details text not null,
      decided_at timestamptz not null,
      constraint invoice_issuers_pk primary key (version),
      constraint invoice_issuers_counted check (version > 0)
    )`,
    once("invoice_issuers", "changing who issued invoices"),
    `create table invoices (
      issue_year integer not null,
      number integer not null,
      number_before integer,
      organization_id uuid not null,
      month text not null,
      issued_at timestamptz not null,
      total numeric(18, 2) not null,
      content text not null,
      constraint invoices_pk primary key (issue_year, number),
      constraint invoices_month_once unique (organization_id, month),
      constraint invoices_without_gap foreign key (issue_year, number_before) references invoices (issue_year, number),
      constraint invoices_counted check (case when number = 1 then number_before is null else number > 1 and number_before is not null and number_before = number - 1 end),
      constraint invoices_for_a_month check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      constraint invoices_to_be_paid check (total > 0)
    )`,
    once("invoices", "changing an issued invoice"),
    `create table payment_notes (
      issue_year integer not null,
      number integer not null,
      sequence integer not null,
      paid_on date,
      noted_at timestamptz not null,
      actor text not null,
      reason text not null,
      constraint payment_notes_pk primary key (issue_year, number, sequence),
      constraint payment_notes_invoice_fk foreign key (issue_year, number) references invoices (issue_year, number),
      constraint payment_notes_counted check (sequence > 0),
      constraint payment_notes_alternate check ((paid_on is null) = (sequence % 2 = 0))
    )`,
    once("payment_notes", "changing a note about a payment")
  ]
}
