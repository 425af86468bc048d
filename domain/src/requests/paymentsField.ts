import { Schema } from "effect"
import { PaymentType } from "../documents/Payment.ts"
import { paymentAmountField } from "./numberField.ts"

/** 1 to 50 payments (Spec, Limits; Decisions §1, Bounds). The same type may occur more than once. */
export const paymentsField = Schema.Array(Schema.Struct({ type: PaymentType, amount: paymentAmountField })).check(
  Schema.makeFilter(
    (payments: ReadonlyArray<unknown>) => {
      if (payments.length === 0) return "must have at least one payment"
      return payments.length > 50 ? "must have at most 50 payments" : undefined
    },
    { toJsonSchema: () => ({ minItems: 1, maxItems: 50 }) }
  )
)
