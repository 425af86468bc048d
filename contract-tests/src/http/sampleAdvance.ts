import type { PaymentType } from "@overa/domain"
import type { ApiTarget } from "./ApiTarget.ts"

export const advancePath = "/v1/advance-cases"
export const caseBuyer = { id: "20:123456789" }

/** A case for the ready credential. */
export const sampleCase = (target: ApiTarget, change: Readonly<Record<string, unknown>> = {}) => ({
  taxpayerId: target.taxpayerId,
  businessPremiseId: target.businessPremiseId,
  clientReference: "WARDROBE-1",
  buyer: caseBuyer,
  ...change
})

/** An advance of one amount, by the prescribed literal. */
export const samplePayment = (target: ApiTarget, amount: number, type: PaymentType = "CARD", change: Readonly<Record<string, unknown>> = {}) => {
  const label = target.labels.sandbox
  return {
    cashier: { id: "web" },
    items: [{ name: `10: Аванс (${label})`, quantity: 1, unitPrice: amount, taxLabels: [label] }],
    payments: [{ type, amount }],
    ...change
  }
}

export const sampleCancellation = (advanceSaleId: string) => ({ advanceSaleId, cashier: { id: "web" }, buyer: caseBuyer })

/** A delivery of one piece, with a payment in addition to the advances. */
export const sampleClosing = (target: ApiTarget, total: number, remaining: number, change: Readonly<Record<string, unknown>> = {}) => ({
  cashier: { id: "web" },
  items: [{ name: "Орман по мери", unitOfMeasure: "ком", quantity: 1, unitPrice: total, taxLabels: [target.labels.sandbox] }],
  remainingPayments: [{ type: "CASH" as PaymentType, amount: remaining }],
  ...change
})
