import { Schema } from "effect"

/** Source: Spec, Resources, FiscalDocument. */
export const TransactionType = Schema.Literals(["SALE", "REFUND"]).annotate({ identifier: "TransactionType", description: "Sale or refund." })
export type TransactionType = typeof TransactionType.Type
