import { Schema } from "effect"

/** Source: Spec, Resources, FiscalDocument. */
export const TransactionType = Schema.Literals(["SALE", "REFUND"])
export type TransactionType = typeof TransactionType.Type
