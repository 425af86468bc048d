import { deliveryFormats, DeliveryLocale, ReceiptDeliveryStatus } from "@overa/domain"
import { integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"

/** Receipts by e-mail: requests and answers. Source: Spec, receipt-deliveries; Decisions §5, §12. */
export const deliverySchemas: Readonly<Record<string, JsonSchema>> = {
  ReceiptDeliveryRequest: object("A receipt to be sent to its buyer.", {
    fiscalDocumentId: uuid("The receipt."),
    recipient: text("One e-mail address, in any script.", { minLength: 1, maxLength: 254 }),
    formats: nullable(
      list("What is attached; left out, what the taxpayer has set, else the PDF of its preferred paper.", oneOfTexts("A representation.", deliveryFormats), {
        minItems: 1,
        uniqueItems: true
      })
    ),
    locale: nullable(oneOfTexts("Language and script of the message; left out, what the taxpayer has set.", DeliveryLocale.literals))
  }, ["formats", "locale"]),
  ReceiptDelivery: object("A receipt on its way to a mailbox.", {
    id: uuid("The delivery."),
    fiscalDocumentId: uuid("The receipt."),
    recipient: nullable(text("The address; null once it was erased on request.")),
    status: oneOfTexts("`QUEUED` until the mail server took or refused it, then `SENT` or `FAILED` for good.", ReceiptDeliveryStatus.literals),
    attempts: integer("How often a connection got as far as naming the recipient.", { minimum: 0 }),
    lastError: nullable(text("Why the last attempt failed, without addresses.")),
    createdAt: utcTime("When it was asked for."),
    updatedAt: utcTime("When it last changed.")
  }),
  ReceiptDeliveryPage: object("One page of deliveries, latest first.", {
    items: list("The deliveries.", ref("ReceiptDelivery")),
    nextCursor: nullable(text("To be sent as `cursor` for the next page; null at the end."))
  })
}
