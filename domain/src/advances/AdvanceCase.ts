import { type BigDecimal, type DateTime, Schema } from "effect"
import type { FailureCode } from "../documents/DocumentStatus.ts"
import type { FiscalDocument } from "../documents/FiscalDocument.ts"
import type { Payment } from "../documents/LineItem.ts"
import { Dinars } from "../money/Dinars.ts"
import type { BoundKey, Operation } from "../operations/Operation.ts"
import type { Buyer } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, FiscalDocumentId, OrganizationId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"

/** Source: Decisions §5, Advance case. AWAITING_OUTCOME: an outcome is unknown, or the case is being closed. */
export const AdvanceCaseState = Schema.Literals(["OPEN", "AWAITING_OUTCOME", "CLOSED", "FAILED"])
export type AdvanceCaseState = typeof AdvanceCaseState.Type

/**
 * An advance taken before the case was opened, with a receipt of another system. It counts in the total advance and is never refunded or referenced.
 * Source: Decisions §5, Advance case.
 */
export const ExternalAdvance = Schema.Struct({
  documentNumber: Schema.String,
  /** As the caller wrote it. */
  documentTime: Schema.String,
  amount: Dinars,
  taxAmount: Dinars
})
export interface ExternalAdvance extends Schema.Schema.Type<typeof ExternalAdvance> {}

/** Payments in advance for one delivery, up to the sale that closes them. Source: Decisions §5, Advance case. */
export interface AdvanceCase {
  readonly id: WorkflowId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly state: AdvanceCaseState
  readonly buyer: Buyer | null
  /** Every attempted Advance Sale, oldest first, whatever its status. */
  readonly advanceSales: ReadonlyArray<FiscalDocument>
  readonly cancelledAdvanceSaleIds: ReadonlyArray<FiscalDocumentId>
  readonly advanceCancellations: ReadonlyArray<{ readonly refund: FiscalDocument; readonly copy: FiscalDocument | null }>
  readonly externalAdvance: ExternalAdvance | null
  /** In dinars. */
  readonly totalAdvance: BigDecimal.BigDecimal
  readonly remainingPayments: ReadonlyArray<Payment> | null
  /** The Advance Refund of the closing; not given to the buyer. */
  readonly advanceRefund: FiscalDocument | null
  readonly finalSale: FiscalDocument | null
  /** The document that this request issued. Its status decides the HTTP status of the answer. */
  readonly current: FiscalDocument | null
  readonly failureCode: FailureCode | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The key of the Advance Refund that the service issues itself at closing; the final sale carries the plain key (Decisions §3). */
export const advanceRefundKey = (closingKey: string): string => `${closingKey}:advance-refund`

/** The key of the closing that an Advance Refund belongs to. */
export const closingKeyOf = (refundKey: string): string => refundKey.slice(0, refundKey.length - advanceRefundKey("").length)

/**
 * An advance case as it was opened. These fields never change; everything else about the case is derived from its documents. Source: Decisions §5,
 * Advance case.
 */
export interface OpenedAdvanceCase {
  readonly id: WorkflowId
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientId: string
  /** The key of the request that opened it. */
  readonly boundKey: BoundKey
  readonly clientReference: string
  readonly buyer: Buyer | null
  readonly externalAdvance: ExternalAdvance | null
  readonly createdAt: DateTime.Utc
}

/** A case with its documents, every attempt, in the order they were reserved. */
export interface StoredAdvanceCase {
  readonly opened: OpenedAdvanceCase
  readonly documents: ReadonlyArray<Operation>
}
