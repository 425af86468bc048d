import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

/** The part of a one-line sale that is refunded, and how. */
export interface RefundChange {
  readonly quantity?: number
  readonly amount?: number
  readonly type?: string
  readonly clientReference?: string
}

/** The body of a refund of the sample sale: all of it to the card, unless changed. */
export const sampleRefund = (target: ApiTarget, original: string, change: RefundChange = {}) => {
  const sale = sampleSale(target)
  const { amount = 2401, clientReference = "RETURN-1", quantity = 2, type = "CARD" } = change
  return {
    taxpayerId: sale.taxpayerId,
    businessPremiseId: sale.businessPremiseId,
    clientReference,
    original: { source: "SVC", fiscalDocumentId: original },
    cashier: { id: "web" },
    buyer: { id: "20:123456789" },
    items: sale.items.map((item) => ({ ...item, quantity, originalLineIndex: 0 })),
    payments: [{ type, amount }]
  }
}
