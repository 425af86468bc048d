import type { Migration } from "./Migration.ts"

// Why: reports tell sales and refunds apart, and the refunds were summed from their documents: a year of 2 000 000 receipts took 3 s.
//
// - `refund_…` of `turnover_days`: what the refunds alone have of the sums beside them.
// - `sided`: what the part has of a refund is in those columns. A host of an earlier release adds parts that are not; reports sum their refunds from the
//   documents, and the worker adds them to the days.
export const turnoverSides: Migration = {
  number: 83,
  name: "turnover sides",
  statements: [
    "alter table turnover_parts add column sided boolean not null default false",
    `alter table turnover_days
      add column refund_paras numeric not null default 0,
      add column refund_tax numeric not null default 0,
      add column refund_receipts bigint not null default 0,
      add column refund_payments bigint not null default 0,
      add column refund_labels bigint not null default 0,
      add column refund_parts bigint not null default 0`
  ]
}
