import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/fiscal-documents"

/** Issuing and reading a Normal Sale without failures, and the conflicts of its key. Source: Spec, POST /v1/fiscal-documents. */
export const salesContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: sales`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })

    it("issues a receipt: 201, Location, the document", async () => {
      const key = newKey()
      const answer = await api.post(path, sampleSale(api.target), { key })
      expect(answer.status).toBe(201)
      expect(answer.json).toMatchObject({ status: "FISCALIZED", fiscalized: true, retryable: false, failureCode: null, idempotencyKey: key })
      expect(answer.headers.get("location")).toBe(`${path}/${answer.json.id}`)
      expect(answer.headers.get("idempotency-replayed")).toBeNull()
      expect(answer.json).not.toHaveProperty("pfrRejection")
      expect(answer.json).not.toHaveProperty("reference")
      expect(answer.json.receipt.pdfA4Url).toBe(`${path}/${answer.json.id}/representations/pdf-a4`)
      expect(answer.json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })

    it("writes amounts as JSON numbers with their exact digits", async () => {
      const answer = await api.post(path, sampleSale(api.target))
      expect(answer.text).toContain("\"totalAmount\":2401,")
    })

    it("takes a footer with the newlines of a text area, and keeps them as LF", async () => {
      const sale = { ...sampleSale(api.target), commercialFooter: "Хвала!\r\nВратите нам се." }
      const issued = await api.post(path, sale)
      expect(issued.status).toBe(201)
      const { json } = await api.get(`${path}/${issued.json.id}/representations/canonical-json`)
      expect(json.commercialFooter).toBe("Хвала!\nВратите нам се.")
    })

    it("shows no unit of an advance literal, which is signed without one", async () => {
      const label = api.target.labels.sandbox
      const item = { name: `10: Аванс (${label})`, unitOfMeasure: "ком", quantity: 1, unitPrice: 100, taxLabels: [label] }
      const issued = await api.post(path, { ...sampleSale(api.target), items: [item], payments: [{ type: "CARD", amount: 100 }] })
      expect(issued.status).toBe(201)
      const { json } = await api.get(`${path}/${issued.json.id}/representations/canonical-json`)
      expect(json.items[0]).not.toHaveProperty("unitOfMeasure")
      expect(json.items[0].name).toBe(item.name)
    })

    it("refuses the copy of an external document that is our own, or whose time has not come, also in a dry run", async () => {
      const sale = sampleSale(api.target)
      const { id, pfr } = (await api.post(path, sale)).json
      const copy = (reference: object) => ({
        ...sale, invoiceType: "COPY",
        reference: { source: "EXTERNAL", pfrNumber: "ABCD1234-EFGH5678-15", pfrTime: pfr.sdcTime, invoiceType: "NORMAL", transactionType: "SALE", ...reference }
      })
      const ahead = new Date(Date.now() + 3_600_000).toISOString()
      for (const [body, key] of [[copy({ pfrNumber: pfr.invoiceNumber }), "Reference.PfrNumber"], [copy({ pfrTime: ahead }), "Reference.PfrTime"]] as const) {
        const answers = [await api.post(path, body), await api.send({ method: "POST", path: `${path}/dry-run`, token: await api.token(), body })]
        for (const { json, status } of answers) expect([status, Object.keys(json.errors)]).toEqual([422, [key]])
      }
      const own = await api.post(path, copy({ pfrNumber: pfr.invoiceNumber }))
      expect(own.json.errors["Reference.PfrNumber"][0]).toContain(`POST /v1/fiscal-documents/${id}/copies`)
      expect((await api.post(path, copy({}))).status).toBe(201)
    })

    it("replays the stored document to the same request: 200, Idempotency-Replayed, no second receipt", async () => {
      const key = newKey()
      const first = await api.post(path, sampleSale(api.target), { key })
      const again = await api.post(path, sampleSale(api.target), { key })
      expect(again.status).toBe(200)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(again.json).toEqual(first.json)
    })

    it("takes another spelling of the same content for the same request", async () => {
      const key = newKey()
      const sale = sampleSale(api.target)
      const first = await api.post(path, sale, { key })
      const respelled = JSON.stringify({ ...Object.fromEntries(Object.entries(sale).reverse()), buyer: null }, null, 2).replace("2401", "2401.00")
      const again = await api.post(path, respelled, { key })
      expect([again.status, again.json.id]).toEqual([200, first.json.id])
    })

    it("[proves:IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST] refuses other content under the key and names the operation", async () => {
      const key = newKey()
      const first = await api.post(path, sampleSale(api.target), { key })
      const other = await api.post(path, { ...sampleSale(api.target), clientReference: "ORDER-2" }, { key })
      expect(other.status).toBe(409)
      expect(other.json).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", operationId: first.json.id })
    })

    it("[proves:IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT] refuses a key of the other environment", async () => {
      const key = newKey()
      const { production } = api.target
      const first = await api.post(path, sampleSale(api.target), { key })
      const sale = sampleSale(api.target, { of: production, environment: "production" })
      const crossed = await api.post(path, sale, { key, credential: production })
      expect(crossed.status).toBe(409)
      expect(crossed.json).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT", operationId: first.json.id })
    })

    it("issues in production with the production credential", async () => {
      const { production } = api.target
      const answer = await api.post(path, sampleSale(api.target, { of: production, environment: "production" }), { credential: production })
      expect(answer.status).toBe(201)
    })

    it("gives everybody who sends the same request at once the same one receipt", async () => {
      const key = newKey()
      const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, sampleSale(api.target), { key })))
      expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    })

    it("reads the document and its operation back", async () => {
      const issued = await api.post(path, sampleSale(api.target))
      const document = await api.get(`${path}/${issued.json.id}`)
      expect(document.json).toEqual(issued.json)
      const operation = await api.get(`/v1/operations/${issued.json.id}`)
      expect(operation.json).toMatchObject({ kind: "NORMAL_SALE", status: "FISCALIZED", fiscalized: true, workflow: null })
      expect(operation.json.transitions.map(({ to }: { readonly to: string }) => to)).toEqual(
        ["RECEIVED", "VALIDATED", "SUBMITTING", "FISCALIZED"]
      )
      expect(operation.json.document).toEqual(issued.json)
      expect(operation.json.summary).not.toBe("")
    })

    it("[proves:FISCAL_DOCUMENT_NOT_FOUND] answers 404 to an id that names nothing, and to one that is no UUID", async () => {
      const unknown = await api.get(`${path}/${randomUUID()}`)
      expect([unknown.status, unknown.json.code]).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
      const malformed = await api.get(`${path}/17`)
      expect([malformed.status, malformed.json.code]).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
    })

    it("[proves:OPERATION_NOT_FOUND] answers 404 to an operation that is not there", async () => {
      const answer = await api.get(`/v1/operations/${randomUUID()}`)
      expect([answer.status, answer.json.code]).toEqual([404, "OPERATION_NOT_FOUND"])
    })

    it("[proves:TAXPAYER_NOT_FOUND] answers 404 to another organization's taxpayer, as to none", async () => {
      const { other } = api.target
      const foreign = await api.post(path, { ...sampleSale(api.target), taxpayerId: other.taxpayerId })
      expect([foreign.status, foreign.json.code]).toEqual([404, "TAXPAYER_NOT_FOUND"])
    })

    it("[proves:BUSINESS_PREMISE_NOT_FOUND] answers 404 to a premise that is not the taxpayer's", async () => {
      const { production } = api.target
      const answer = await api.post(path, { ...sampleSale(api.target), businessPremiseId: production.businessPremiseId })
      expect([answer.status, answer.json.code]).toEqual([404, "BUSINESS_PREMISE_NOT_FOUND"])
    })

    it("[proves:TAX_LABEL_NOT_CURRENT] refuses a label the V-PFR does not publish", async () => {
      const sale = sampleSale(api.target)
      const answer = await api.post(path, { ...sale, items: sale.items.map((item) => ({ ...item, taxLabels: ["Љ"] })) })
      expect(answer.status).toBe(422)
      expect(answer.json).toMatchObject({ code: "TAX_LABEL_NOT_CURRENT", invalidLabels: ["Љ"] })
      expect(answer.json.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/items/0/taxLabels/0"])
    })

    it("names the right operation for every other kind of document", async () => {
      const answer = await api.post(path, { ...sampleSale(api.target), transactionType: "REFUND" })
      expect(answer.status).toBe(422)
      expect(answer.json.errors.InvoiceType).toEqual([expect.stringContaining("/v1/refund-workflows")])
    })
  })
