import { Result } from "effect"
import type { PaymentMode } from "../tenancy/BusinessPremise.ts"
import { PaymentTypeNotAllowedOnPremise } from "./errors.ts"
import { type Payment, PaymentType } from "./Payment.ts"

const restricted: ReadonlyArray<PaymentType> = ["OTHER", "CASH", "WIRE_TRANSFER", "VOUCHER"]

/** The payment types a premise takes in its mode (Spec, fiscal-documents rule 6; V-PFR §8.4). */
export const allowedPaymentTypes = (mode: PaymentMode): ReadonlyArray<PaymentType> =>
  mode === "all" ? PaymentType.literals : restricted

/** Refuses payment types the premise does not take, each named once. */
export const checkPaymentTypes = (
  payments: ReadonlyArray<Pick<Payment, "type">>,
  mode: PaymentMode
): Result.Result<void, PaymentTypeNotAllowedOnPremise> => {
  const allowed = allowedPaymentTypes(mode)
  const refused = [...new Set(payments.map((payment) => payment.type))].filter((type) => !allowed.includes(type))
  return refused.length === 0 ? Result.void : Result.fail(new PaymentTypeNotAllowedOnPremise({ paymentTypes: refused }))
}

/** A document's check of its premise's payment mode. */
export type PaymentModeCheck<E> = (mode: PaymentMode) => Result.Result<void, E>

/** The types of the payments must be accepted by the premise. */
export const paidBy = (payments: ReadonlyArray<Pick<Payment, "type">>): PaymentModeCheck<PaymentTypeNotAllowedOnPremise> => (mode) =>
  checkPaymentTypes(payments, mode)

/** The payment mode is not checked: copies, a closing's Advance Refund, the opening of a case (Decisions §2). */
export const paymentModeNotAsked: PaymentModeCheck<never> = () => Result.void

/** Whether any payment is cash: a refund in cash needs its signed copy (Spec, Refunds rule 4). */
export const hasCash = (payments: ReadonlyArray<Pick<Payment, "type">>): boolean =>
  payments.some((payment) => payment.type === "CASH")
