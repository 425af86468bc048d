import { Schema } from "effect"
import { PaymentType } from "../documents/Payment.ts"
import { listField, paymentBounds } from "./listField.ts"
import { dinarsField, paymentAmountField } from "./numberField.ts"

const paymentField = Schema.Struct({
  type: PaymentType,
  amount: paymentAmountField.annotate({ description: "Dinars; more than two decimals are rejected by the V-PFR with code 2804." })
}).annotate({ identifier: "Payment", description: "One payment." })

/** 1 to 50 payments. The same type may occur more than once. */
export const paymentsField = listField(paymentField, paymentBounds)

const remainingPaymentField = Schema.Struct({
  type: PaymentType,
  amount: dinarsField.annotate({ description: "Dinars, at most two decimals." })
}).annotate({ identifier: "RemainingPayment", description: "One payment of the final sale of an advance case." })

/**
 * The payments of a closing's final sale. The V-PFR rejects an amount with more than two decimals, and by then the closing's Advance Refund is signed:
 * such an amount is refused before anything is (docs/adr/0125).
 */
export const remainingPaymentsField = listField(remainingPaymentField, paymentBounds)
