import { Schema } from "effect"

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
