import { client } from "./generated/hey-api/client.gen.ts"
import { issueFiscalDocument, readRepresentation, refundSale } from "./generated/hey-api/sdk.gen.ts"
import type { FiscalDocumentRequest, LineItem } from "./generated/hey-api/types.gen.ts"
import { place, run } from "./flow.ts"

client.setConfig({ baseUrl: place.baseUrl, headers: { Authorization: `Bearer ${place.token}` } })
const { businessPremiseId, label, taxpayerId } = place

const item = (quantity: number): LineItem => ({ name: "Чарапе", unitOfMeasure: "пар", quantity, unitPrice: 1200.5, taxLabels: [label] })
const body = (quantity: number): FiscalDocumentRequest => ({
  taxpayerId, businessPremiseId, clientReference: "ORDER-1", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [item(quantity)], payments: [{ type: "CARD", amount: 1200.5 * quantity }]
})

await run("hey-api", {
  sale: async (key, quantity) => {
    const { data, response } = await issueFiscalDocument({ body: body(quantity), headers: { "Idempotency-Key": key } })
    if (data === undefined) throw new Error(`not issued: ${response?.status}`)
    return { status: response?.status ?? 0, body: data, id: data.id, number: data.pfr.invoiceNumber }
  },
  wrongSale: async (key) => {
    const { error, response } = await issueFiscalDocument({ body: { ...body(1), payments: [{ type: "CARD", amount: 1 }] }, headers: { "Idempotency-Key": key } })
    return { status: response?.status ?? 0, body: error }
  },
  refund: async (key, original) => {
    const { data, response } = await refundSale({
      headers: { "Idempotency-Key": key },
      body: {
        taxpayerId, businessPremiseId, clientReference: "RETURN-1", original: { source: "SVC", fiscalDocumentId: original }, cashier: { id: "web" },
        buyer: { id: "20:123456789" }, items: [{ ...item(1), originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1200.5 }]
      }
    })
    return { status: response?.status ?? 0, body: data?.refund.pfr.invoiceNumber }
  },
  pdf: async (fiscalDocumentId) => {
    const { data } = await readRepresentation({ path: { fiscalDocumentId, representationFormat: "pdf-a4" }, parseAs: "arrayBuffer" })
    return new Uint8Array(data as unknown as ArrayBuffer)
  }
})
