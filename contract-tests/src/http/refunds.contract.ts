import { randomInt, randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/refund-workflows"

/** Refunds of receipts this service issued. Source: Spec, POST /v1/refund-workflows; Decisions §5, Refund workflow. */
export const refundsContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: refunds`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const sell = async (): Promise<string> => (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id
    const refundOf = (original: string, change: { readonly quantity?: number; readonly amount?: number; readonly type?: string } = {}) => {
      const sale = sampleSale(api.target)
      const { amount = 2401, quantity = 2, type = "CARD" } = change
      return {
        taxpayerId: sale.taxpayerId,
        businessPremiseId: sale.businessPremiseId,
        clientReference: "RETURN-1",
        original: { source: "SVC", fiscalDocumentId: original },
        cashier: { id: "web" },
        buyer: { id: "20:123456789" },
        items: sale.items.map((item) => ({ ...item, quantity, originalLineIndex: 0 })),
        payments: [{ type, amount }]
      }
    }
    const refused = (answer: ApiAnswer) => [answer.status, answer.json.code]

    it("refunds a receipt in full: 201, COMPLETED, the refund refers to the original", async () => {
      const original = await sell()
      const answer = await api.post(path, refundOf(original))
      expect(answer.status).toBe(201)
      expect(answer.json).toMatchObject({ status: "COMPLETED", cashRefundCopy: null, failureCode: null })
      expect(answer.json.refund).toMatchObject({ fiscalized: true, invoiceType: "NORMAL", transactionType: "REFUND", buyerId: "20:123456789" })
      expect(answer.json.refund.reference.fiscalDocumentId).toBe(original)
      expect(answer.headers.get("location")).toBe(`${path}/${answer.json.id}`)
      expect((await api.get(`${path}/${answer.json.id}`)).json).toEqual(answer.json)
    })

    it("issues the signed copy of a cash refund at once, under the refund's key followed by :copy", async () => {
      const key = newKey()
      const answer = await api.post(path, refundOf(await sell(), { type: "CASH" }), { key })
      expect(answer.status).toBe(201)
      expect(answer.json.cashRefundCopy).toMatchObject({
        fiscalized: true,
        invoiceType: "COPY",
        transactionType: "REFUND",
        idempotencyKey: `${key}:copy`,
        reference: { fiscalDocumentId: answer.json.refund.id }
      })
    })

    it("lists the workflows latest first, page by page, by status and the journal's filters", async () => {
      const clientReference = `list-${newKey()}`
      const made: Array<string> = []
      for (const type of ["CARD", "CASH", "CARD"]) made.push((await api.post(path, { ...refundOf(await sell(), { type }), clientReference })).json.id)
      const list = async (query: string) => (await api.get(`${path}?clientReference=${clientReference}${query}`)).json
      const ids = (page: { readonly items: ReadonlyArray<{ readonly id: string }> }) => page.items.map(({ id }) => id)
      const whole = await list("")
      expect(ids(whole).toSorted()).toEqual(made.toSorted())
      expect(whole.items[0]).toEqual((await api.get(`${path}/${whole.items[0].id}`)).json)
      const first = await list("&pageSize=2")
      expect([...ids(first), ...ids(await list(`&pageSize=2&cursor=${first.nextCursor}`))]).toEqual(ids(whole))
      expect(ids(await list("&status=COMPLETED&status=FAILED"))).toEqual(ids(whole))
      expect(await list("&status=COPY_PENDING")).toEqual({ items: [], nextCursor: null })
      expect(ids(await list("&buyerId=20:123456789&pfrFrom=2026-01-01T00:00:00Z"))).toEqual(ids(whole))
      expect((await api.get(`${path}?clientReference=${clientReference}`, api.target.other)).json).toEqual({ items: [], nextCursor: null })
      const wrong = await api.get(`${path}?status=DONE&invoiceType=NORMAL`)
      expect([wrong.status, Object.keys(wrong.json.errors).toSorted()]).toEqual([422, ["InvoiceType", "Status"]])
    })

    it("issues no copy where 0 is paid in cash: nobody has anything to sign for", async () => {
      const refund = refundOf(await sell())
      const answer = await api.post(path, { ...refund, payments: [{ type: "CARD", amount: 2401 }, { type: "CASH", amount: 0 }] })
      expect([answer.status, answer.json.status, answer.json.cashRefundCopy]).toEqual([201, "COMPLETED", null])
      expect((await api.get(`${path}/${answer.json.id}`)).json).toEqual(answer.json)
    })

    it("answers the same to the same request again, and 409 to another under its key", async () => {
      const original = await sell()
      const key = newKey()
      const first = await api.post(path, refundOf(original), { key })
      const again = await api.post(path, refundOf(original), { key })
      expect(again.status).toBe(200)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(again.json).toEqual(first.json)
      const other = await api.post(path, { ...refundOf(original), clientReference: "RETURN-2" }, { key })
      expect(refused(other)).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
    })

    it("tells what can still be given back, and hands out items ready to send", async () => {
      const original = await sell()
      await api.post(path, refundOf(original, { quantity: 0.5, amount: 600.25 }))
      const { json } = await api.get(`/v1/fiscal-documents/${original}/refundable`)
      expect(json.lines[0]).toMatchObject({ originalLineIndex: 0, quantity: 1.5, amount: 1800.75, heldBy: [] })
      const rest = await api.post(path, {
        ...refundOf(original, { amount: 1800.75 }),
        items: json.lines.map(({ item }: { readonly item: unknown }) => item)
      })
      expect(rest.status).toBe(201)
      const { json: after } = await api.get(`/v1/fiscal-documents/${original}/refundable`)
      expect(after.lines[0]).toMatchObject({ quantity: 0, amount: 0, item: null })
    })

    it("[proves:REFUND_CUMULATIVE_QUANTITY_EXCEEDED] never gives back more than was sold", async () => {
      const original = await sell()
      await api.post(path, refundOf(original))
      const answer = await api.post(path, refundOf(original))
      expect(refused(answer)).toEqual([422, "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"])
    })

    it("[proves:REFUND_QUANTITY_EXCEEDS_ORIGINAL] refuses more than the line had", async () => {
      const answer = await api.post(path, refundOf(await sell(), { quantity: 3, amount: 3601.5 }))
      expect(refused(answer)).toEqual([422, "REFUND_QUANTITY_EXCEEDS_ORIGINAL"])
    })

    it("[proves:REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE] refuses a line that is not the original's", async () => {
      const refund = refundOf(await sell())
      const answer = await api.post(path, { ...refund, items: refund.items.map((item) => ({ ...item, name: "Капа" })) })
      expect(refused(answer)).toEqual([422, "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"])
    })

    it("[proves:REFUND_ORIGINAL_LINE_NOT_FOUND] refuses a line the original does not have", async () => {
      const refund = refundOf(await sell())
      const answer = await api.post(path, { ...refund, items: refund.items.map((item) => ({ ...item, originalLineIndex: 7 })) })
      expect(refused(answer)).toEqual([422, "REFUND_ORIGINAL_LINE_NOT_FOUND"])
      expect(answer.json.details).toEqual([{
        pointer: "/items/0/originalLineIndex",
        message: "must name a line of the original, 0 to 0",
        itemIndex: 0,
        originalLineIndex: 7
      }])
    })

    it("[proves:REFERENCE_DOCUMENT_NOT_FOUND] refuses an original that is not there", async () => {
      expect(refused(await api.post(path, refundOf(randomUUID())))).toEqual([422, "REFERENCE_DOCUMENT_NOT_FOUND"])
    })

    it("[proves:REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED] refuses to refund a refund", async () => {
      const refund = await api.post(path, refundOf(await sell()))
      expect(refused(await api.post(path, refundOf(refund.json.refund.id)))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    })

    it("[proves:REFERENCE_DOCUMENT_SCOPE_MISMATCH] refuses an original of another taxpayer of the organization", async () => {
      const registered = await api.post("/v1/taxpayers", {
        taxIdentifier: String(randomInt(100_000_000, 999_999_999)),
        name: "Друга Продавница Д.О.О.",
        vatStatus: "IN_VAT",
        businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Веб" }]
      })
      const answer = await api.post(path, {
        ...refundOf(await sell()),
        taxpayerId: registered.json.id,
        businessPremiseId: registered.json.businessPremises[0].id
      })
      expect(refused(answer)).toEqual([422, "REFERENCE_DOCUMENT_SCOPE_MISMATCH"])
    })

    it("states the expected amount when the payments do not match what is given back", async () => {
      const answer = await api.post(path, refundOf(await sell(), { amount: 2400 }))
      expect(answer.status).toBe(422)
      expect(answer.json.errors.totals[0]).toContain("2401")
    })

    it("[proves:REFUND_WORKFLOW_NOT_FOUND] answers 404 to a workflow that is not there", async () => {
      expect(refused(await api.get(`${path}/${randomUUID()}`))).toEqual([404, "REFUND_WORKFLOW_NOT_FOUND"])
      expect(refused(await api.get(`${path}/17`))).toEqual([404, "REFUND_WORKFLOW_NOT_FOUND"])
    })
  })
