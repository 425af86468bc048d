import type { InvoiceType } from "./InvoiceType.ts"

/** Whether receipts of a type are turnover: Normal and Advance receipts, not their copies, proformas and training. Source: Decisions §5, Reports. */
export const isTurnoverType = (type: InvoiceType): type is "NORMAL" | "ADVANCE" => type === "NORMAL" || type === "ADVANCE"
