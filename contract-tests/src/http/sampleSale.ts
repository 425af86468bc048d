import type { ApiTarget, ReadyCredential } from "./ApiTarget.ts"

/** A sale of one item that the ready credential may issue; the same content for the same reference. */
export const sampleSale = (
  target: ApiTarget,
  options: { readonly of?: ReadyCredential; readonly environment?: "sandbox" | "production"; readonly clientReference?: string } = {}
) => {
  const place = options.of ?? target
  return {
    taxpayerId: place.taxpayerId,
    businessPremiseId: place.businessPremiseId,
    clientReference: options.clientReference ?? "ORDER-1",
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: "web" },
    items: [{
      name: "Чарапе",
      unitOfMeasure: "пар",
      quantity: 2,
      unitPrice: 1200.5,
      taxLabels: [target.labels[options.environment ?? "sandbox"]]
    }],
    payments: [{ type: "CARD", amount: 2401 }]
  }
}
