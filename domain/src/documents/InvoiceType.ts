import { Schema } from "effect"

/** Source: Spec, Resources, FiscalDocument. */
export const InvoiceType = Schema.Literals(["NORMAL", "COPY", "ADVANCE", "PROFORMA", "TRAINING"]).annotate({
  identifier: "InvoiceType",
  description: "Kind of document."
})
export type InvoiceType = typeof InvoiceType.Type
