import { Result } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { DocumentKind } from "../references/referenceMatrix.ts"
import {
  ReceiptDeliveryDisabled,
  ReceiptDeliveryDocumentNotFiscalized,
  ReceiptDeliveryDocumentNotIssuedToBuyer,
  ReceiptDeliveryUnavailable
} from "./errors.ts"

/** The facts of a document that decide whether it may be sent to its buyer. */
export interface DeliverableDocument extends DocumentKind {
  readonly id: string
  readonly taxpayerId: string
  readonly status: DocumentStatus
  /** What the document refers to: on a copy, what was copied. */
  readonly reference: { readonly invoiceType: InvoiceType } | null
}

/** The settings it depends on. */
export interface DeliveryConditions {
  /** Whether the taxpayer has deliveries enabled. */
  readonly enabled: boolean
  /** Whether the installation has an e-mail transport that works. */
  readonly transportAvailable: boolean
}

/**
 * Whether a document is given to the buyer at all. An Advance Refund only balances the accounts at closing and stays with the issuer; so does its
 * copy. Source: Spec, Operations known by name only (receipt-deliveries); V-PFR §8.7.
 */
export const isIssuedToBuyer = (document: Omit<DeliverableDocument, "id" | "taxpayerId" | "status">): boolean => {
  if (document.transactionType === "SALE") return true
  if (document.invoiceType === "COPY") return document.reference?.invoiceType !== "ADVANCE"
  return document.invoiceType !== "ADVANCE"
}

export type DeliveryRefusal =
  | ReceiptDeliveryDisabled
  | ReceiptDeliveryDocumentNotIssuedToBuyer
  | ReceiptDeliveryDocumentNotFiscalized
  | ReceiptDeliveryUnavailable

/**
 * Whether a receipt may be queued for its buyer. The checks, in this order: deliveries disabled, a document that is no receipt, one that is never
 * given to the buyer, no transport. The transport comes last, because its refusal advises to repeat the request: everything else about the request
 * must then be valid. Source: Decisions §12.
 */
export const checkDeliverable = (
  document: DeliverableDocument,
  settings: DeliveryConditions
): Result.Result<void, DeliveryRefusal> => {
  const fiscalDocumentId = document.id
  if (!settings.enabled) return Result.fail(new ReceiptDeliveryDisabled({ taxpayerId: document.taxpayerId }))
  if (document.status !== "FISCALIZED") return Result.fail(new ReceiptDeliveryDocumentNotFiscalized({ fiscalDocumentId }))
  if (!isIssuedToBuyer(document)) {
    return Result.fail(new ReceiptDeliveryDocumentNotIssuedToBuyer({ fiscalDocumentId, invoiceType: document.invoiceType }))
  }
  return settings.transportAvailable ? Result.succeed(undefined) : Result.fail(new ReceiptDeliveryUnavailable({}))
}
