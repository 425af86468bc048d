import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { TransactionType } from "../documents/TransactionType.ts"

/** The tax authority's numbers for invoice types, as requests and links carry them (V-PFR §2). */
export const invoiceTypeNumber = {
  NORMAL: 0,
  PROFORMA: 1,
  COPY: 2,
  TRAINING: 3,
  ADVANCE: 4
} as const satisfies Record<InvoiceType, number>

/** The tax authority's numbers for transaction types (V-PFR §2). */
export const transactionTypeNumber = { SALE: 0, REFUND: 1 } as const satisfies Record<TransactionType, number>

const invoiceTypes: ReadonlyArray<InvoiceType> = ["NORMAL", "PROFORMA", "COPY", "TRAINING", "ADVANCE"]
const transactionTypes: ReadonlyArray<TransactionType> = ["SALE", "REFUND"]

export const invoiceTypeOfNumber = (number: number): InvoiceType | null => invoiceTypes[number] ?? null
export const transactionTypeOfNumber = (number: number): TransactionType | null => transactionTypes[number] ?? null
