import { Schema } from "effect"

/** Source: Spec, Resources, FiscalDocument. */
export const InvoiceType = Schema.Literals(["NORMAL", "COPY", "ADVANCE", "PROFORMA", "TRAINING"])
export type InvoiceType = typeof InvoiceType.Type
