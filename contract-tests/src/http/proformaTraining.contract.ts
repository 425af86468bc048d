import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/proforma-training-workflows"
const types = ["PROFORMA", "TRAINING"] as const

/** Proforma and training documents. Source: Spec, proforma-training-workflows; Decisions §5, Proforma and training. */
export const proformaTrainingContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: proforma and training`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const sale = (invoiceType: string) => ({ ...sampleSale(api.target), invoiceType, clientReference: "OFFER-1" })
    const refundOf = (source: string, invoiceType: string) => ({
      ...sale(invoiceType),
      transactionType: "REFUND",
      buyer: { id: "20:123456789" },
      reference: { source: "SVC", fiscalDocumentId: source }
    })
    const issue = async (invoiceType: string): Promise<ApiAnswer["json"]> => (await api.post(path, sale(invoiceType))).json
    const refused = ({ json, status }: ApiAnswer) => [status, json.code]

    it.each(types)("has a %s sale signed: 201, COMPLETED, one document; read again and replayed", async (invoiceType) => {
      const key = newKey()
      const first = await api.post(path, sale(invoiceType), { key })
      expect(first.status).toBe(201)
      expect(first.json).toMatchObject({ status: "COMPLETED", source: null, failureCode: null })
      expect(first.json.document).toMatchObject({ fiscalized: true, invoiceType, transactionType: "SALE" })
      expect(first.headers.get("location")).toBe(`${path}/${first.json.id}`)
      const again = await api.post(path, sale(invoiceType), { key })
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
      expect(again.json).toEqual(first.json)
      expect((await api.get(`${path}/${first.json.id}`)).json).toEqual(first.json)
      expect((await api.get(`/v1/fiscal-documents/${first.json.document.id}`)).json).toEqual(first.json.document)
    })

    it.each(types)("gives a %s sale back whole: the refund refers to it", async (invoiceType) => {
      const source = await issue(invoiceType)
      const refund = await api.post(path, refundOf(source.document.id, invoiceType))
      expect(refund.status).toBe(201)
      expect(refund.json.source).toMatchObject({ source: "SVC", fiscalDocumentId: source.document.id, invoiceType, transactionType: "SALE" })
      expect(refund.json.document.reference.fiscalDocumentId).toBe(source.document.id)
    })

    it("[proves:PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED] gives a source back once", async () => {
      const source = await issue("PROFORMA")
      const first = await api.post(path, refundOf(source.document.id, "PROFORMA"))
      const second = await api.post(path, refundOf(source.document.id, "PROFORMA"))
      expect(second.status).toBe(409)
      expect(second.json).toMatchObject({ code: "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED", workflowId: first.json.id })
    })

    it("has one winner among refunds at once; the others are told whose", async () => {
      const source = await issue("TRAINING")
      const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, refundOf(source.document.id, "TRAINING"))))
      const [won, ...more] = answers.filter(({ status }) => status === 201)
      expect(more).toEqual([])
      const lost = answers.filter(({ status }) => status === 409)
      expect(lost).toHaveLength(19)
      expect(new Set(lost.map(({ json }) => json.workflowId))).toEqual(new Set([won?.json.id]))
    })

    it("needs the source and a buyer on a refund, and takes no reference on a sale", async () => {
      const { buyer: _buyer, reference: _reference, ...bare } = refundOf(randomUUID(), "PROFORMA")
      const answer = await api.post(path, bare)
      expect(Object.keys(answer.json.errors).sort()).toEqual(["Buyer.Id", "Reference"])
      const source = await issue("PROFORMA")
      const withReference = await api.post(path, { ...sale("PROFORMA"), reference: { source: "SVC", fiscalDocumentId: source.document.id } })
      expect(refused(withReference)).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
      const elsewhere = { source: "EXTERNAL", pfrNumber: "ABCD2345-ABCD2345-7", pfrTime: "2026-08-01T10:00:00+02:00", invoiceType: "NORMAL", transactionType: "SALE" }
      expect(refused(await api.post(path, { ...sale("PROFORMA"), reference: elsewhere }))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    })

    it("refuses a source that is not there, of the other type, or no sale", async () => {
      expect(refused(await api.post(path, refundOf(randomUUID(), "PROFORMA")))).toEqual([422, "REFERENCE_DOCUMENT_NOT_FOUND"])
      const training = await issue("TRAINING")
      expect(refused(await api.post(path, refundOf(training.document.id, "PROFORMA")))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
      const refund = await api.post(path, refundOf(training.document.id, "TRAINING"))
      expect(refused(await api.post(path, refundOf(refund.json.document.id, "TRAINING")))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    })

    it("refuses a refund that is not the whole source in its order", async () => {
      const source = await issue("PROFORMA")
      const whole = refundOf(source.document.id, "PROFORMA")
      const half = { ...whole, items: whole.items.map((item) => ({ ...item, quantity: 1 })), payments: [{ type: "CARD", amount: 1200.5 }] }
      expect(refused(await api.post(path, half))).toEqual([422, "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"])
    })

    it("is never copied, never refunded by the refund workflow, never referenced by a sale", async () => {
      const { document } = await issue("PROFORMA")
      const copy = await api.post(`/v1/fiscal-documents/${document.id}/copies`, { cashier: { id: "web" } })
      expect(refused(copy)).toEqual([422, "COPY_SOURCE_NOT_COPYABLE"])
      const reference = { source: "SVC", fiscalDocumentId: document.id }
      const sold = await api.post("/v1/fiscal-documents", { ...sampleSale(api.target), reference })
      expect(refused(sold)).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    })

    it("issues nothing else: a Normal Sale is sent to its own operation", async () => {
      const answer = await api.post(path, sale("NORMAL"))
      expect(answer.json.errors.InvoiceType[0]).toContain("POST /v1/fiscal-documents")
    })

    it("[proves:WORKFLOW_NOT_FOUND] knows no workflow of another organization, nor what is no id", async () => {
      const { id } = await issue("PROFORMA")
      expect(refused(await api.get(`${path}/${id}`, api.target.other))).toEqual([404, "WORKFLOW_NOT_FOUND"])
      expect(refused(await api.get(`${path}/7`))).toEqual([404, "WORKFLOW_NOT_FOUND"])
    })
  })
