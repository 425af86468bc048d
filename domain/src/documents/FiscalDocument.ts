import type { DateTime } from "effect"
import type { BuyerDetails } from "../parties/BuyerDetails.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { PaperFormat } from "../tenancy/Taxpayer.ts"
import type { DocumentStatus } from "./DocumentStatus.ts"
import type { FailureCode } from "./FailureCode.ts"
import type { InvoiceType } from "./InvoiceType.ts"
import type { PfrRejection } from "./PfrRejection.ts"
import type { PfrResult } from "./PfrResult.ts"
import type { TransactionType } from "./TransactionType.ts"

/** The document as every fiscal operation returns it. Source: Spec, Resources, FiscalDocument. */
export interface FiscalDocument {
  readonly id: FiscalDocumentId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly idempotencyKey: string
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly cashierId: string
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  readonly status: DocumentStatus
  readonly fiscalized: boolean
  readonly failureCode: FailureCode | null
  readonly pfrRejection: PfrRejection | null
  readonly retryable: boolean
  readonly pfr: PfrResult | null
  /** Null when not fiscalized; the host turns it into the seven representation URLs. */
  readonly preferredPaperFormat: PaperFormat | null
  readonly reference: {
    readonly fiscalDocumentId: FiscalDocumentId | null
    readonly pfrNumber: string
    readonly pfrTime: string
  } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}
