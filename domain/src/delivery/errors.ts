import { Schema } from "effect"
import { InvoiceType } from "../documents/InvoiceType.ts"

/** The taxpayer has not enabled delivery by e-mail. Source: Spec, Errors, Catalogue. */
export class ReceiptDeliveryDisabled
  extends Schema.TaggedError<ReceiptDeliveryDisabled>()("ReceiptDeliveryDisabled", { taxpayerId: Schema.String })
{
  readonly code = "RECEIPT_DELIVERY_DISABLED"
}

/** Only a receipt is delivered. Source: Spec, Errors, Catalogue. */
export class ReceiptDeliveryDocumentNotFiscalized
  extends Schema.TaggedError<ReceiptDeliveryDocumentNotFiscalized>()("ReceiptDeliveryDocumentNotFiscalized", {
    fiscalDocumentId: Schema.String
  })
{
  readonly code = "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED"
}

/** An Advance Refund, or a copy of one, is not given to the buyer. `invoiceType` tells which of the two. Source: Spec, Errors, Catalogue. */
export class ReceiptDeliveryDocumentNotIssuedToBuyer
  extends Schema.TaggedError<ReceiptDeliveryDocumentNotIssuedToBuyer>()("ReceiptDeliveryDocumentNotIssuedToBuyer", {
    fiscalDocumentId: Schema.String,
    invoiceType: InvoiceType
  })
{
  readonly code = "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER"
}

/** The installation's e-mail transport is not configured or not available; nothing was queued. Source: Spec, Errors, Catalogue. */
export class ReceiptDeliveryUnavailable
  extends Schema.TaggedError<ReceiptDeliveryUnavailable>()("ReceiptDeliveryUnavailable", {})
{
  readonly code = "RECEIPT_DELIVERY_UNAVAILABLE"
}

/** More deliveries within an hour than an organization may ask for; nothing was queued. Source: Decisions §12. */
export class ReceiptDeliveryRateLimited
  extends Schema.TaggedError<ReceiptDeliveryRateLimited>()("ReceiptDeliveryRateLimited", { deliveriesPerHour: Schema.Int })
{
  readonly code = "RATE_LIMITED"
}

/** No delivery of this id for the caller's organization and environment. Source: Decisions §1. */
export class ReceiptDeliveryNotFound extends Schema.TaggedError<ReceiptDeliveryNotFound>()("ReceiptDeliveryNotFound", {
  deliveryId: Schema.String
}) {
  readonly code = "RECEIPT_DELIVERY_NOT_FOUND"
}
