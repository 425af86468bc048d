import type { Migration } from "./Migration.ts"

// Why: reports of many receipts from indexes alone. A year of 670 000 receipts took half a second, since each row of `turnover_parts` was looked up in
// its table; the refunds of two months took 0.4 s, since the receipts of all kinds were. A sale writes nothing here; a refund writes one entry.
export const reportsOnline: Migration = {
  number: 38,
  name: "reports, online",
  online: true,
  statements: [
    `create index concurrently if not exists turnover_parts_covering on turnover_parts (organization_id, environment, sdc_time)
      include (taxpayer_id, premise_id, cashier_id, day, payment_type, label_set, tax_label, paras, tax, counts_receipt, counts_payment, counts_labels,
        counts_part) where sdc_time is not null`,
    "drop index concurrently if exists turnover_parts_by_time",
    `create index concurrently if not exists operations_refunds_by_time on operations (organization_id, environment, sdc_time) include (signed_total)
      where status = 'FISCALIZED' and transaction_type = 'REFUND' and invoice_type in ('NORMAL', 'ADVANCE')`
  ]
}
