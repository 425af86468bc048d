import { Schema } from "effect"
import { PaymentType } from "../documents/Payment.ts"
import { listField, paymentBounds } from "./listField.ts"
import { paymentAmountField } from "./numberField.ts"

const paymentField = Schema.Struct({
  type: PaymentType,
  amount: paymentAmountField.annotate({ description: "Dinars; more than two decimals are rejected by the V-PFR with code 2804." })
}).annotate({ identifier: "Payment", description: "One payment." })

/** 1 to 50 payments. The same type may occur more than once. */
export const paymentsField = listField(paymentField, paymentBounds)
