import type { DateTime } from "effect"
import { errorCatalogue } from "../errorCatalogue.ts"
import type { Operation } from "../operations/Operation.ts"
import type { BuyerDetails } from "../parties/Buyer.ts"
import type { PaperFormat } from "../tenancy/Taxpayer.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { DocumentStatus, FailureCode } from "./DocumentStatus.ts"
import type { InvoiceType, TransactionType } from "./InvoiceType.ts"
import type { PfrRejection, PfrResult } from "./PfrResult.ts"

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

/**
 * An operation as callers see it. Only FISCALIZED is a receipt: every other status shows no PFR facts, whatever is stored beside it
 * (Spec, Document statuses).
 *
 * @param options `withRejection` on single reads and POST answers, never in lists (Spec, FiscalDocument; Decisions §10).
 */
export const presentDocument = (
  operation: Operation,
  options: { readonly withRejection: boolean }
): FiscalDocument => {
  const { content, status } = operation
  const receipt = status === "FISCALIZED" ? operation.answer : null
  return {
    id: operation.id,
    taxpayerId: operation.taxpayerId,
    businessPremiseId: operation.businessPremiseId,
    idempotencyKey: operation.boundKey.key,
    clientReference: content.clientReference,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType,
    cashierId: content.cashier.id,
    buyerId: content.buyer?.id ?? null,
    buyerDetails: operation.buyerDetails,
    status,
    fiscalized: receipt !== null,
    failureCode: failureCodeOf(status, operation.failureCode),
    pfrRejection: options.withRejection && status === "REJECTED" ? operation.rejection : null,
    retryable: retryableOf(status, operation.failureCode),
    pfr: receipt === null ? null : receipt.pfr,
    preferredPaperFormat: receipt === null ? null : content.preferredPaperFormat,
    reference: content.reference === null ? null : {
      fiscalDocumentId: content.reference.fiscalDocumentId,
      pfrNumber: content.reference.pfrNumber,
      pfrTime: content.reference.pfrTime
    },
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt
  }
}

/** The kind of a document, `NORMAL_SALE` for example (Decisions §5, Operations). */
export const documentKind = (content: Pick<Operation["content"], "invoiceType" | "transactionType">): string =>
  `${content.invoiceType}_${content.transactionType}`

/** What a failure code means for the caller. */
export interface FailureAdvice {
  /** Whether the same request with the same key may be sent again. */
  readonly retryable: boolean
  /** One sentence. */
  readonly nextStep: string
}

const advice = (code: FailureCode): FailureAdvice => ({
  retryable: errorCatalogue[code].retry === "same key",
  nextStep: errorCatalogue[code].nextStep
})

/** Every failure code with its advice. A new code does not compile until it has one. Source: Spec, Errors; Decisions §4. */
export const failureAdvice: Readonly<Record<FailureCode, FailureAdvice>> = {
  PFR_UNAVAILABLE: advice("PFR_UNAVAILABLE"),
  PFR_SECURITY_ELEMENT_UNAVAILABLE: advice("PFR_SECURITY_ELEMENT_UNAVAILABLE"),
  PFR_SUBMISSION_CANCELLED_BEFORE_SEND: advice("PFR_SUBMISSION_CANCELLED_BEFORE_SEND"),
  PFR_SUBMISSION_FAULT: advice("PFR_SUBMISSION_FAULT"),
  PFR_VALIDATION_REJECTED: advice("PFR_VALIDATION_REJECTED"),
  OUTCOME_UNKNOWN: advice("OUTCOME_UNKNOWN"),
  OPERATOR_CONFIRMED_NOT_ISSUED: advice("OPERATOR_CONFIRMED_NOT_ISSUED"),
  ADVANCE_REFUND_NOT_FISCALIZED: advice("ADVANCE_REFUND_NOT_FISCALIZED")
}

/** Whether a document may be sent again under its key (Spec, Document statuses). */
export const retryableOf = (status: DocumentStatus, failureCode: FailureCode | null): boolean =>
  status === "NOT_FISCALIZED" && failureCode !== "ADVANCE_REFUND_NOT_FISCALIZED"

/** The failure code an answer carries: an outcome that is not known says so, a receipt has none. */
export const failureCodeOf = (status: DocumentStatus, stored: FailureCode | null): FailureCode | null => {
  switch (status) {
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return stored === "PFR_SUBMISSION_FAULT" ? stored : "OUTCOME_UNKNOWN"
    case "REJECTED":
      return "PFR_VALIDATION_REJECTED"
    case "NOT_FISCALIZED":
      return stored ?? "PFR_UNAVAILABLE"
    default:
      return null
  }
}

const happened: Readonly<Record<DocumentStatus, string>> = {
  RECEIVED: "The request has been received and is being checked; no receipt exists yet",
  VALIDATED: "The request has been checked and is about to be sent; no receipt exists yet",
  SUBMITTING: "The request is being sent to the V-PFR; no receipt is known yet",
  FISCALIZED: "The receipt exists: the V-PFR signed it",
  REJECTED: "The V-PFR rejected the request; no receipt exists and none will",
  NOT_FISCALIZED: "Nothing was signed; no receipt exists",
  OUTCOME_UNKNOWN: "The request may have reached the V-PFR; a receipt may exist or come to exist",
  RECONCILING: "The service is asking the V-PFR whether the receipt exists; it may"
}

type Summarized = Pick<Operation, "status" | "failureCode" | "answer" | "boundKey" | "workflow" | "content">

/** A final sale refers to the Advance Refund of its closing as soon as that is signed, and is not sent before (Decisions §5, Advance case). */
const waitsForAdvanceRefund = ({ content, status, workflow }: Summarized): boolean =>
  status === "VALIDATED" && workflow?.type === "ADVANCE" && content.invoiceType === "NORMAL" && content.reference === null

/**
 * The next step for a document of a refund, where it differs from other documents: a refund that was not sent is final under its key, and its copy is
 * sent by the service (Decisions §3, §5 Refund workflow).
 */
const nextStepOfRefund = ({ boundKey, status, workflow }: Summarized): string | null => {
  if (workflow?.type !== "REFUND") return null
  if (boundKey.role === "REQUEST") return status === "NOT_FISCALIZED" ? "send the refund again with a new key" : null
  if (status === "NOT_FISCALIZED") return "the service sends the copy again by itself"
  return status === "REJECTED" ? "an operator has the copy sent again" : null
}

const nextStepOf = (operation: Summarized, failureCode: FailureCode | null): string => {
  if (operation.status === "FISCALIZED") return "there is nothing more to do"
  if (failureCode === null) return "wait for the outcome"
  const step = failureAdvice[failureCode].nextStep
  return nextStepOfRefund(operation) ?? step.charAt(0).toLowerCase() + step.slice(1, -1)
}

const finalSaleWaits =
  "The final sale waits for the Advance Refund of its closing; no receipt exists yet; read the advance case, and where that refund is retryable repeat the closing with the same key."

/** One sentence: what happened, whether a receipt exists, what to do next (Decisions §5, Operations). */
export const summaryOf = (operation: Summarized): string => {
  if (waitsForAdvanceRefund(operation)) return finalSaleWaits
  const failureCode = failureCodeOf(operation.status, operation.failureCode)
  const number = operation.status === "FISCALIZED" && operation.answer !== null
    ? ` as ${operation.answer.pfr.invoiceNumber}`
    : ""
  return `${happened[operation.status]}${number}; ${nextStepOf(operation, failureCode)}.`
}
