import { type DateTime, Schema } from "effect"
import type { RepresentationFormat } from "../ports/ReceiptRenderer.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { PaperFormat } from "../tenancy/Taxpayer.ts"

export const ReceiptDeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ReceiptDeliveryId"))
export type ReceiptDeliveryId = typeof ReceiptDeliveryId.Type

/** Source: Decisions §5, Journal, reports, deliveries. */
export const ReceiptDeliveryStatus = Schema.Literals(["QUEUED", "SENT", "FAILED"])
export type ReceiptDeliveryStatus = typeof ReceiptDeliveryStatus.Type

/** The language and script of the message around the receipt. Source: Decisions §5, Journal, reports, deliveries. */
export const DeliveryLocale = Schema.Literals(["sr-Cyrl", "sr-Latn", "en"])
export type DeliveryLocale = typeof DeliveryLocale.Type

/** The representations that can be attached: all of them. */
export const deliveryFormats = [
  "official-text",
  "canonical-json",
  "pdf-a4",
  "pdf-80mm",
  "pdf-58mm",
  "preview-png",
  "qr-svg"
] as const satisfies ReadonlyArray<RepresentationFormat>

/** A receipt on its way to a mailbox. Source: Decisions §5, Journal, reports, deliveries. */
export interface ReceiptDelivery {
  readonly id: ReceiptDeliveryId
  readonly fiscalDocumentId: FiscalDocumentId
  readonly recipient: string
  readonly formats: ReadonlyArray<RepresentationFormat>
  readonly locale: DeliveryLocale
  readonly status: ReceiptDeliveryStatus
  /** How often the message was handed to the transport. */
  readonly attempts: number
  /** Why the last attempt failed, in words for people; null when none did. */
  readonly lastError: string | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** What is attached when the request does not say: the PDF of the receipt's preferred paper. */
export const preferredFormats = (paper: PaperFormat): ReadonlyArray<RepresentationFormat> => [`pdf-${paper}`]
