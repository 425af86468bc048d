import { type FiscalDocumentRequest, issueFiscalDocument, type LineItem, getReadRepresentationUrl, refundSale } from "./generated/orval.ts"
import { place, run } from "./flow.ts"

const { businessPremiseId, label, taxpayerId, token } = place
const authorization = { Authorization: `Bearer ${token}` }
const item = (quantity: number): LineItem => ({ name: "Чарапе", unitOfMeasure: "пар", quantity, unitPrice: 1200.5, taxLabels: [label] })
const body = (quantity: number): FiscalDocumentRequest => ({
  taxpayerId, businessPremiseId, clientReference: "ORDER-1", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [item(quantity)], payments: [{ type: "CARD", amount: 1200.5 * quantity }]
})
const keyed = (key: string) => ({ headers: { ...authorization, "Idempotency-Key": key } })

await run("orval", {
  sale: async (key, quantity) => {
    const answer = await issueFiscalDocument(body(quantity), { "Idempotency-Key": key }, keyed(key))
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`not issued: ${answer.status}`)
    return { status: answer.status, body: answer.data, id: answer.data.id, number: answer.data.pfr.invoiceNumber }
  },
  wrongSale: async (key) => {
    const answer = await issueFiscalDocument({ ...body(1), payments: [{ type: "CARD", amount: 1 }] }, { "Idempotency-Key": key }, keyed(key))
    return { status: answer.status, body: answer.data }
  },
  refund: async (key, original) => {
    const answer = await refundSale({
      taxpayerId, businessPremiseId, clientReference: "RETURN-1", original: { source: "SVC", fiscalDocumentId: original }, cashier: { id: "web" },
      buyer: { id: "20:123456789" }, items: [{ ...item(1), originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1200.5 }]
    }, { "Idempotency-Key": key }, keyed(key))
    return { status: answer.status, body: answer.data }
  },
  // Its reader reads every answer of several media types as JSON: a file is fetched from the address it generated.
  pdf: async (id) => new Uint8Array(await (await fetch(getReadRepresentationUrl(id, "pdf-a4"), { headers: authorization })).arrayBuffer())
})
