import { type ElsewhereReceipt, formatDecimal, type InvoiceType, type TaxpayerId, type TransactionType } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"

export interface ElsewhereRow {
  readonly pfr_number: string
  readonly taxpayer_id: TaxpayerId
  readonly pfr_time: Date
  readonly invoice_type: InvoiceType
  readonly transaction_type: TransactionType
  readonly counter: string
  readonly total_amount: string
  readonly total_tax: string | null
  readonly buyer_id: string | null
  readonly verification_url: string | null
  readonly journal: string | null
  readonly standing: ElsewhereReceipt["standing"]
}

const decimal = (text: string): BigDecimal.BigDecimal => BigDecimal.normalize(BigDecimal.fromStringUnsafe(text))

export const decodeElsewhere = (row: ElsewhereRow): ElsewhereReceipt => ({
  pfrNumber: row.pfr_number,
  pfrTime: DateTime.makeUnsafe(row.pfr_time),
  invoiceType: row.invoice_type,
  transactionType: row.transaction_type,
  counter: row.counter,
  totalAmount: decimal(row.total_amount),
  totalTax: row.total_tax === null ? null : decimal(row.total_tax),
  buyerId: row.buyer_id,
  verificationUrl: row.verification_url,
  journal: row.journal,
  standing: row.standing
})

/** Receipts as the parameter of `keepElsewhere`. */
export const elsewhereJson = (receipts: ReadonlyArray<ElsewhereReceipt>): string =>
  JSON.stringify(receipts.map((receipt) => ({
    pfr_number: receipt.pfrNumber,
    pfr_time: DateTime.formatIso(receipt.pfrTime),
    invoice_type: receipt.invoiceType,
    transaction_type: receipt.transactionType,
    counter: receipt.counter,
    total_amount: formatDecimal(receipt.totalAmount),
    total_tax: receipt.totalTax === null ? null : formatDecimal(receipt.totalTax),
    buyer_id: receipt.buyerId,
    verification_url: receipt.verificationUrl,
    journal: receipt.journal,
    standing: receipt.standing
  })))
