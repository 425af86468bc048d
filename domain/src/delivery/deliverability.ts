import { Result } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { DocumentKind } from "../references/referenceMatrix.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { ReceiptDeliveryDisabled, ReceiptDeliveryDocumentNotFiscalized, ReceiptDeliveryDocumentNotIssuedToBuyer, ReceiptDeliveryUnavailable } from "./errors.ts"

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

/** Limits against misuse of the installation's mail address (Decisions §12). A shop that only sends its receipts stays far below them. */
export const deliveryLimits = {
  /** Different mailboxes one document may be sent to. */
  recipientsOfDocument: 10,
  /** Deliveries of one document, repeated ones included. */
  deliveriesOfDocument: 30,
  /** Deliveries an organization may ask for within an hour. */
  perHour: { sandbox: 1_000, production: 10_000 } satisfies Record<Environment, number>
} as const

/** How many deliveries were requested already, without the one being checked. */
export interface DeliveryUse {
  /** Different recipients of the document, this one not counted. */
  readonly otherRecipients: number
  readonly deliveriesOfDocument: number
  readonly inLastHour: number
}

/** Which limit a further delivery would break; null when none. */
export const brokenLimit = (use: DeliveryUse, environment: Environment): "DOCUMENT" | "HOUR" | null => {
  if (use.otherRecipients >= deliveryLimits.recipientsOfDocument) return "DOCUMENT"
  if (use.deliveriesOfDocument >= deliveryLimits.deliveriesOfDocument) return "DOCUMENT"
  return use.inLastHour >= deliveryLimits.perHour[environment] ? "HOUR" : null
}

/** The longest address a mail server must take, in octets (RFC 5321, 4.5.3.1.3 less its brackets). */
export const longestAddress = 254
/** The longest part before the at sign, in octets (RFC 5321, 4.5.3.1.1). */
const longestLocalPart = 64

// Unquoted local parts and names of domains, in any script. White space, brackets, commas, colons, semicolons and quotes stay out: they
// could turn one recipient into several, or into a header of the message.
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const domainName = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u

const octets = (text: string): number => new TextEncoder().encode(text).length

/**
 * What is wrong with the form of an e-mail address, or undefined. Whether the mailbox exists only a delivery can tell.
 *
 * @example recipientFault("kupac@example.rs") // undefined
 */
export const recipientFault = (address: string): string | undefined => {
  if (octets(address) > longestAddress) return `must have at most ${longestAddress} octets`
  const at = address.lastIndexOf("@")
  const local = address.slice(0, Math.max(at, 0))
  return at > 0 && octets(local) <= longestLocalPart && localPart.test(local) && domainName.test(address.slice(at + 1))
    ? undefined
    : "must be one e-mail address, like kupac@example.rs"
}
