import type { Branding } from "../documents/Branding.ts"
import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { TransactionType } from "../documents/TransactionType.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { DeliveryLocale, ReceiptDeliveryId } from "./ReceiptDelivery.ts"
import type { Representation } from "../documents/Representation.ts"

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
