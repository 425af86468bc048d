import { type DateTime, Schema } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Representation, RepresentationFormat } from "../documents/Representation.ts"
import type { BoundKey } from "../operations/Operation.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { PaperFormat } from "../tenancy/Taxpayer.ts"
import type { FiscalDocumentId, OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"

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

/**
 * How handing one message to the mail server ended.
 *
 * - `Taken`: the server said that it has the message.
 * - `Deferred`: certainly not taken, and another attempt may succeed (a 4xx answer, a connection lost before the message's last dot).
 * - `Refused`: certainly not taken and never will be (a 5xx answer).
 * - `MayBeTaken`: the connection was lost after the last dot, before the server's answer.
 * - `Unreachable`: the transport itself failed before any recipient was named: no name, connection, TLS or sign-in.
 */
export const MailOutcome = Schema.TaggedUnion({
  Taken: {},
  Deferred: { reason: Schema.String, recipientNamed: Schema.Boolean },
  Refused: { reason: Schema.String, recipientNamed: Schema.Boolean },
  MayBeTaken: { reason: Schema.String },
  Unreachable: { reason: Schema.String }
})
export type MailOutcome = typeof MailOutcome.Type

/** Everything the message to a buyer says. One delivery always has one Message-ID, made from its id (Decisions §12). */
export interface ReceiptMail {
  readonly deliveryId: ReceiptDeliveryId
  readonly recipient: string
  readonly locale: DeliveryLocale
  readonly environment: Environment
  readonly shop: {
    readonly name: string
    readonly replyTo: string | null
    readonly branding: Branding | null
  }
  readonly receipt: {
    readonly invoiceType: InvoiceType
    readonly transactionType: TransactionType
    readonly number: string
    /** The PFR time, in the V-PFR's own text. */
    readonly sdcTime: string
    /** Dinars with two decimals and a point. */
    readonly total: string
    readonly clientReference: string
    readonly verificationUrl: string
  }
  readonly attachments: ReadonlyArray<Representation>
}

const longest = 300

/**
 * Servers repeat addresses in their answers, sometimes other people's (of a forwarding rule or a list), so every word with an at sign is treated as
 * an address.
 */
const withoutAddress = (word: string): string => (word.includes("@") ? "(address)" : word)

/**
 * A server's words as `lastError` shows them: one line, at most 300 characters, no e-mail address (Decisions §12).
 *
 * @example shownError("550 5.1.1 <a@b.rs>: no such user") // "550 5.1.1 (address) no such user"
 */
export const shownError = (words: string): string => {
  const line = words.replaceAll(/[\p{C}\s]+/gu, " ").trim().split(" ").map(withoutAddress).join(" ")
  return Array.from(line).length <= longest ? line : `${Array.from(line).slice(0, longest - 1).join("")}…`
}
