import type { WrittenTime } from "../belgradeTime.ts"

export const invoiceTypes = ["Normal", "ProForma", "Copy", "Training", "Advance"] as const
export const transactionTypes = ["Sale", "Refund"] as const
export const paymentTypes = ["Other", "Cash", "Card", "Check", "WireTransfer", "Voucher", "MobileMoney"] as const

export type InvoiceType = (typeof invoiceTypes)[number]
export type TransactionType = (typeof transactionTypes)[number]
export type PaymentType = (typeof paymentTypes)[number]

export interface RequestedPayment {
  readonly paymentType: PaymentType
  /** Hundredths of a dinar. */
  readonly amount: bigint
}

export interface RequestedItem {
  readonly gtin: string | null
  readonly name: string
  /** Thousandths. */
  readonly quantity: bigint
  /** Hundredths of a dinar. */
  readonly unitPrice: bigint
  readonly totalAmount: bigint
  readonly labels: ReadonlyArray<string>
}

/** A request that passed every check (V-PFR §2). */
export interface InvoiceRequest {
  readonly dateAndTimeOfIssue: WrittenTime | null
  readonly cashier: string | null
  readonly buyerId: string | null
  readonly buyerCostCenterId: string | null
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly payment: ReadonlyArray<RequestedPayment>
  readonly invoiceNumber: string | null
  readonly referentDocumentNumber: string | null
  readonly referentDocumentDT: WrittenTime | null
  readonly omitQRCodeGen: boolean
  readonly omitTextualRepresentation: boolean
  readonly items: ReadonlyArray<RequestedItem>
}
