import type { Migration } from "./Migration.ts"

// Why: a report of a year of 670 000 receipts took 0.4 s, since it summed every part of every receipt (docs/adr/0082). Now it sums the days.
//
// - `turnover_days`: the parts of all receipts of a Belgrade day that agree in everything by which reports are grouped or selected, summed. The empty
//   text stands for no payment type and for no tax label. The four counts say how many parts had each flag.
// - `summed`: the part is in `turnover_days`. A host of the previous release adds parts that are not; reports read those, and the worker sums them.
export const turnoverDays: Migration = {
  number: 39,
  name: "turnover days",
  statements: [
    "alter table turnover_parts add column summed boolean not null default false",
    `create table turnover_days (
      organization_id uuid not null,
      environment text not null,
      day text not null,
      taxpayer_id uuid not null,
      premise_id uuid not null,
      cashier_id text not null,
      label_set text not null,
      payment_type text not null,
      tax_label text not null,
      paras numeric not null,
      tax numeric not null,
      receipts bigint not null,
      payments bigint not null,
      labels bigint not null,
      parts bigint not null,
      constraint turnover_days_pk primary key
        (organization_id, environment, day, taxpayer_id, premise_id, cashier_id, label_set, payment_type, tax_label)
    )`,
    "analyze turnover_days"
  ]
}
