import { Schema } from "effect"
import { Dinars, Quantity } from "../money/Dinars.ts"

/** A line as stored with a document, already proven (bounds and rules: `requests/`). Source: Spec, Resources, LineItem. */
export const LineItem = Schema.Struct({
  name: Schema.String,
  unitOfMeasure: Schema.NullOr(Schema.String),
  quantity: Quantity,
  unitPrice: Dinars,
  unitPriceBeforeDiscount: Schema.NullOr(Dinars),
  gtin: Schema.NullOr(Schema.String),
  catalogProductId: Schema.NullOr(Schema.String),
  taxLabels: Schema.Array(Schema.String),
  /** Only on a refund: the line of the original it gives back. */
  originalLineIndex: Schema.NullOr(Schema.Int),
  /** Only on a refund whose money is what is left of its line and not quantity × price (Decisions §5, Money); read by `lineAmount`. */
  signedAmount: Schema.optionalKey(Dinars)
})
export interface LineItem extends Schema.Schema.Type<typeof LineItem> {}

/** Source: Spec, Resources, Payment types. */
export const PaymentType = Schema.Literals([
  "CARD",
  "WIRE_TRANSFER",
  "INSTANT_PAYMENT",
  "CASH",
  "VOUCHER",
  "CHECK",
  "OTHER"
]).annotate({ identifier: "PaymentType", description: "How it was paid." })
export type PaymentType = typeof PaymentType.Type

/** One payment. The amount may carry more than two decimals: the V-PFR answers that with 2804 (Spec, Resources, Payment). */
export const Payment = Schema.Struct({ type: PaymentType, amount: Schema.BigDecimal })
export interface Payment extends Schema.Schema.Type<typeof Payment> {}
