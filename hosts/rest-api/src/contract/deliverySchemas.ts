import { ReceiptDeliveryStatus } from "@overa/domain"
import { integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

/** Receipts by e-mail: answers. Source: Spec, receipt-deliveries; Decisions §5, §12. */
export const deliverySchemas: Readonly<Record<string, JsonSchema>> = {
  ReceiptDelivery: object("The delivery of a receipt to a mailbox.", {
    id: uuid("The delivery."),
    fiscalDocumentId: uuid("The receipt."),
    recipient: nullable(text("The address; null once it was erased on request.")),
    status: oneOfTexts("`QUEUED` until the mail server took or refused it, then `SENT` or `FAILED` for good.", ReceiptDeliveryStatus.literals),
    attempts: integer("How many attempts got far enough to name the recipient.", { minimum: 0 }),
    lastError: nullable(text("Why the last attempt failed, without addresses.")),
    createdAt: utcTime("When it was asked for."),
    updatedAt: utcTime("When it last changed.")
  }),
  ReceiptDeliveryPage: object("One page of deliveries, latest first.", {
    items: list("The deliveries.", ref("ReceiptDelivery")),
    nextCursor: nullable(text("To be sent as `cursor` for the next page; null at the end."))
  })
}
