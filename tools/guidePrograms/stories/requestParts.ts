import type { Step, Value } from "../Story.ts"

export const place = { taxpayerId: "{taxpayerId}", businessPremiseId: "{businessPremiseId}" }
export const cashier = { id: "web" }
export const buyer = { id: "20:123456789" }

/** Labels are read once and kept, never written into a program (Spec, TaxRateConfiguration). */
export const readLabel: ReadonlyArray<Step> = [
  { call: { name: "rates", operation: "readTaxRates", query: place } },
  { take: "label", from: "rates.labels.0?.label", otherwise: "The premise has no tax labels" }
]

export const line = (name: string, quantity: number, unitPrice: number, unitOfMeasure = "ком"): Value => ({ name, unitOfMeasure, quantity, unitPrice, taxLabels: ["{label}"] })

/** The body of a Normal Sale. */
export const saleBody = (items: ReadonlyArray<Value>, amount: number): Value => ({
  ...place, clientReference: "{order}", invoiceType: "NORMAL", transactionType: "SALE", cashier, items, payments: [{ type: "CARD", amount }]
})

export const sale = (name: string | null, items: ReadonlyArray<Value>, amount: number): Step => ({
  call: { ...(name === null ? {} : { name }), operation: "issueFiscalDocument", body: saleBody(items, amount), key: "shop-of-zora/{order}/sale" }
})
