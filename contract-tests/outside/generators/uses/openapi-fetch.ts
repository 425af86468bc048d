import createClient from "openapi-fetch"
import type { components, paths } from "./generated/openapi-typescript.ts"
import { place, run } from "./flow.ts"

const client = createClient<paths>({ baseUrl: place.baseUrl, headers: { Authorization: `Bearer ${place.token}` } })
const { businessPremiseId, label, taxpayerId } = place

const item = (quantity: number): components["schemas"]["LineItem"] => ({ name: "Чарапе", unitOfMeasure: "пар", quantity, unitPrice: 1200.5, taxLabels: [label] })
const body = (quantity: number): components["schemas"]["FiscalDocumentRequest"] => ({
  taxpayerId, businessPremiseId, clientReference: "ORDER-1", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [item(quantity)], payments: [{ type: "CARD", amount: 1200.5 * quantity }]
})
const sale = (key: string, content: components["schemas"]["FiscalDocumentRequest"]) =>
  client.POST("/v1/fiscal-documents", { params: { header: { "Idempotency-Key": key } }, body: content })

await run("openapi-fetch", {
  sale: async (key, quantity) => {
    const { data, response } = await sale(key, body(quantity))
    if (data === undefined) throw new Error(`not issued: ${response.status}`)
    return { status: response.status, body: data, id: data.id, number: data.pfr.invoiceNumber }
  },
  wrongSale: async (key) => {
    const { error, response } = await sale(key, { ...body(1), payments: [{ type: "CARD", amount: 1 }] })
    return { status: response.status, body: error }
  },
  refund: async (key, original) => {
    const { data, response } = await client.POST("/v1/refund-workflows", {
      params: { header: { "Idempotency-Key": key } },
      body: {
        taxpayerId, businessPremiseId, clientReference: "RETURN-1", original: { source: "SVC", fiscalDocumentId: original }, cashier: { id: "web" },
        buyer: { id: "20:123456789" }, items: [{ ...item(1), originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1200.5 }]
      }
    })
    return { status: response.status, body: data?.refund.pfr.invoiceNumber }
  },
  pdf: async (fiscalDocumentId) => {
    const { data } = await client.GET("/v1/fiscal-documents/{fiscalDocumentId}/representations/{representationFormat}", {
      params: { path: { fiscalDocumentId, representationFormat: "pdf-a4" } }, parseAs: "arrayBuffer"
    })
    return new Uint8Array(data as ArrayBuffer)
  }
})
