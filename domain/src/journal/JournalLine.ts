import { BigDecimal, DateTime } from "effect"
import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Payment } from "../documents/LineItem.ts"
import type { SignedTax } from "../documents/PfrResult.ts"
import { totalAmount } from "../money/rounding.ts"
import type { Operation } from "../operations/Operation.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"

/** What an export shows of a signed receipt. */
export interface JournalLineReceipt {
  readonly pfrNumber: string
  readonly pfrTime: string
  readonly totalAmount: BigDecimal.BigDecimal
  readonly taxes: ReadonlyArray<Pick<SignedTax, "label" | "amount">>
  readonly verificationUrl: string
}

/**
 * What an export shows of one document. A store need not read the rest of the document, which is most of its bytes. Times are texts as the documents
 * show them. Source: Decisions §5, Journal; Decisions §11.
 */
export interface JournalLine {
  readonly id: FiscalDocumentId
  readonly createdAt: string
  readonly updatedAt: string
  readonly status: DocumentStatus
  readonly failureCode: FailureCode | null
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly cashierId: string
  readonly buyerId: string | null
  readonly buyerName: string | null
  readonly totalAmount: BigDecimal.BigDecimal
  readonly payments: ReadonlyArray<Payment>
  readonly referencePfrNumber: string | null
  /** Null where the document is no receipt. */
  readonly receipt: JournalLineReceipt | null
}

/** The line of a whole document. */
export const journalLineOf = ({ answer, content, ...operation }: Operation): JournalLine => ({
  id: operation.id,
  createdAt: DateTime.formatIso(operation.createdAt),
  updatedAt: DateTime.formatIso(operation.updatedAt),
  status: operation.status,
  failureCode: operation.failureCode,
  taxpayerId: operation.taxpayerId,
  businessPremiseId: operation.businessPremiseId,
  clientReference: content.clientReference,
  invoiceType: content.invoiceType,
  transactionType: content.transactionType,
  cashierId: content.cashier.id,
  buyerId: content.buyer?.id ?? null,
  buyerName: operation.buyerDetails?.legalName ?? null,
  totalAmount: totalAmount(content.items),
  payments: content.payments,
  referencePfrNumber: content.reference?.pfrNumber ?? null,
  receipt: answer === null ? null : {
    pfrNumber: answer.pfr.invoiceNumber,
    pfrTime: answer.pfr.sdcTime,
    totalAmount: answer.pfr.totalAmount,
    taxes: answer.taxes.map(({ amount, label }) => ({ label, amount })),
    verificationUrl: answer.pfr.verificationUrl
  }
})
