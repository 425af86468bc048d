import { Schema } from "effect"
import { textFault } from "../requests/fields.ts"
import { deliveryFormats, DeliveryLocale } from "./ReceiptDelivery.ts"
import { recipientFault } from "./deliverability.ts"

/** How a taxpayer's receipts are sent by e-mail. Source: Decisions §12. */
export const DeliverySettings = Schema.Struct({
  enabled: Schema.Boolean,
  /** The name the message comes from; null: the taxpayer's own. */
  senderName: Schema.NullOr(Schema.String.check(Schema.makeFilter((name: string) => textFault(name, 100)))),
  /** Where a buyer's answer goes; null: nowhere that is read. */
  replyTo: Schema.NullOr(Schema.String.check(Schema.makeFilter(recipientFault))),
  locale: DeliveryLocale,
  /** Null: the PDF of the receipt's preferred paper. */
  formats: Schema.NullOr(Schema.Array(Schema.Literals(deliveryFormats)).check(Schema.isMinLength(1), Schema.isUnique()))
})
export interface DeliverySettings extends Schema.Schema.Type<typeof DeliverySettings> {}

/** The settings of a taxpayer that has never set any. */
export const noDeliverySettings: DeliverySettings = {
  enabled: false,
  senderName: null,
  replyTo: null,
  locale: "sr-Cyrl",
  formats: null
}
