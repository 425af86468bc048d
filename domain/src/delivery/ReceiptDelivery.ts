import { type DateTime, Schema } from "effect"
import type { BoundKey } from "../operations/Operation.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { PaperFormat } from "../tenancy/Taxpayer.ts"
import type { RepresentationFormat } from "../documents/Representation.ts"

export const ReceiptDeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ReceiptDeliveryId"))
export type ReceiptDeliveryId = typeof ReceiptDeliveryId.Type

/** Source: Decisions §5, Journal, reports, deliveries. */
export const ReceiptDeliveryStatus = Schema.Literals(["QUEUED", "SENT", "FAILED"])
export type ReceiptDeliveryStatus = typeof ReceiptDeliveryStatus.Type

/** The language and script of the message around the receipt. Source: Decisions §5, Journal, reports, deliveries. */
export const DeliveryLocale = Schema.Literals(["sr-Cyrl", "sr-Latn", "en"])
export type DeliveryLocale = typeof DeliveryLocale.Type

/** What can be attached: any PDF, and the official text. Source: Decisions §12. */
export const deliveryFormats = [
  "official-text",
  "pdf-a4",
  "pdf-80mm",
  "pdf-58mm"
] as const satisfies ReadonlyArray<RepresentationFormat>
export type DeliveryFormat = (typeof deliveryFormats)[number]

/** Why a delivery was given up: the server refused it for good, deferred it too often or for too long, or may have taken it twice. */
export const DeliveryFailure = Schema.Literals(["REFUSED", "EXHAUSTED", "UNCERTAIN"])
export type DeliveryFailure = typeof DeliveryFailure.Type

/** The delivery of a receipt to a mailbox. Source: Decisions §5, Journal, reports, deliveries; §12. */
export interface ReceiptDelivery {
  readonly id: ReceiptDeliveryId
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly taxpayerId: TaxpayerId
  readonly fiscalDocumentId: FiscalDocumentId
  readonly clientId: string
  readonly boundKey: BoundKey
  /** Null once it was erased on request (Decisions §15). */
  readonly recipient: string | null
  readonly formats: ReadonlyArray<DeliveryFormat>
  readonly locale: DeliveryLocale
  readonly status: ReceiptDeliveryStatus
  /** The number of attempts in which the recipient was named to the mail server. */
  readonly attempts: number
  /** How often the mail server may have taken the message without saying so. */
  readonly maybeTaken: number
  /** Why the last attempt failed, in words for people; null when none did. */
  readonly lastError: string | null
  readonly failure: DeliveryFailure | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** What is attached when neither request nor settings say: the PDF of the receipt's preferred paper. */
export const preferredFormats = (paper: PaperFormat): ReadonlyArray<DeliveryFormat> => [`pdf-${paper}`]
