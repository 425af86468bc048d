import { Schema } from "effect"

/** Source: Spec, Resources, FiscalDocument. */
export const InvoiceType = Schema.Literals(["NORMAL", "COPY", "ADVANCE", "PROFORMA", "TRAINING"]).annotate({
  identifier: "InvoiceType",
  description: "Kind of document."
})
export type InvoiceType = typeof InvoiceType.Type

/** Source: Spec, Resources, FiscalDocument. */
export const TransactionType = Schema.Literals(["SALE", "REFUND"]).annotate({ identifier: "TransactionType", description: "Sale or refund." })
export type TransactionType = typeof TransactionType.Type
