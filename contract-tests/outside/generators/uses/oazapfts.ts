import { defaults, type FiscalDocumentRequest, issueFiscalDocument, type LineItem, refundSale } from "./generated/oazapfts.ts"
import { place, run } from "./flow.ts"

const { baseUrl, businessPremiseId, label, taxpayerId, token } = place
const authorization = { Authorization: `Bearer ${token}` }
defaults.baseUrl = baseUrl
defaults.headers = authorization
const item = (quantity: number): LineItem => ({ name: "Чарапе", unitOfMeasure: "пар", quantity, unitPrice: 1200.5, taxLabels: [label] })
const body = (quantity: number): FiscalDocumentRequest => ({
  taxpayerId, businessPremiseId, clientReference: "ORDER-1", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [item(quantity)], payments: [{ type: "CARD", amount: 1200.5 * quantity }]
})

await run("oazapfts", {
  sale: async (key, quantity) => {
    const answer = await issueFiscalDocument(key, body(quantity))
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`not issued: ${answer.status}`)
    return { status: answer.status, body: answer.data, id: answer.data.id, number: answer.data.pfr.invoiceNumber }
  },
  wrongSale: async (key) => {
    const answer = await issueFiscalDocument(key, { ...body(1), payments: [{ type: "CARD", amount: 1 }] })
    return { status: answer.status, body: answer.data }
  },
  refund: async (key, original) => {
    const answer = await refundSale(key, {
      taxpayerId, businessPremiseId, clientReference: "RETURN-1", original: { source: "SVC", fiscalDocumentId: original }, cashier: { id: "web" },
      buyer: { id: "20:123456789" }, items: [{ ...item(1), originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1200.5 }]
    })
    return { status: answer.status, body: answer.data }
  },
  // It reads an answer of several media types as JSON: a file is fetched by its address.
  pdf: async (id) =>
    new Uint8Array(await (await fetch(`${baseUrl}/v1/fiscal-documents/${id}/representations/pdf-a4`, { headers: authorization })).arrayBuffer())
})
