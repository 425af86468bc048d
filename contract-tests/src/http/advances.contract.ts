import type { PaymentType } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { advancePath, caseBuyer, sampleCancellation, sampleCase, sampleClosing, samplePayment } from "./sampleAdvance.ts"

/** Advance cases: opened, paid, cancelled, closed. Source: Spec, advance-cases; Decisions §5, Advance case. */
export const advancesContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: advance cases`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const open = async (change: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      (await api.post(advancePath, sampleCase(api.target, change))).json.id
    const pay = (id: string, amount: number, type: PaymentType = "CARD", key = newKey()) =>
      api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, amount, type), { key })
    const cancel = (id: string, saleId: string, key = newKey()) =>
      api.post(`${advancePath}/${id}/cancellations`, sampleCancellation(saleId), { key })
    const close = (id: string, total: number, remaining: number, key = newKey(), change = {}) =>
      api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, total, remaining, change), { key })
    const refused = ({ json, status }: ApiAnswer) => [status, json.code]

    it("opens a case: 201, nothing issued; its key opens it once", async () => {
      const key = newKey()
      const body = sampleCase(api.target)
      const first = await api.post(advancePath, body, { key })
      expect(first.status).toBe(201)
      expect(first.json).toMatchObject({ state: "OPEN", advanceSales: [], totalAdvance: 0, current: null, buyer: caseBuyer })
      expect(first.headers.get("location")).toBe(`${advancePath}/${first.json.id}`)
      const again = await api.post(advancePath, body, { key })
      expect(again.status).toBe(200)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(again.json).toEqual(first.json)
      const other = await api.post(advancePath, { ...body, clientReference: "WARDROBE-2" }, { key })
      expect(refused(other)).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
      expect((await api.get(`${advancePath}/${first.json.id}`)).json).toEqual(first.json)
    })

    it("takes payments in a chain: each later Advance Sale refers to the one before", async () => {
      const id = await open()
      const first = await pay(id, 36000)
      expect(first.status).toBe(201)
      expect(first.json.current).toMatchObject({ invoiceType: "ADVANCE", transactionType: "SALE", fiscalized: true, buyerId: caseBuyer.id })
      expect(first.json.current.reference).toBeUndefined()
      const second = await pay(id, 48000, "WIRE_TRANSFER")
      expect(second.json.current.reference.fiscalDocumentId).toBe(first.json.current.id)
      expect(second.json).toMatchObject({ state: "OPEN", totalAdvance: 84000 })
      expect(second.json.advanceSales).toHaveLength(2)
      const read = await api.get(`${advancePath}/${id}`)
      expect(read.json).toEqual({ ...second.json, current: null })
    })

    it("answers a payment's key again with 200 and the case as it stands; other content is 409", async () => {
      const id = await open()
      const key = newKey()
      const first = await pay(id, 1000, "CARD", key)
      const again = await pay(id, 1000, "CARD", key)
      expect(again.status).toBe(200)
      expect(again.json).toEqual(first.json)
      expect(refused(await pay(id, 1001, "CARD", key))).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
    })

    it("refuses a payment under the key that opened the case, and an opening under a payment's", async () => {
      const key = newKey()
      const { json } = await api.post(advancePath, sampleCase(api.target), { key })
      expect(refused(await pay(json.id, 1000, "CARD", key))).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
      const paid = newKey()
      const { json: { current } } = await pay(json.id, 1000, "CARD", paid)
      const opening = await api.post(advancePath, sampleCase(api.target), { key: paid })
      expect(opening.status).toBe(409)
      expect(opening.json).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", operationId: current.id })
    })

    it("cancels the latest advance: an Advance Refund of all of it; cash brings its signed copy", async () => {
      const id = await open()
      const first = (await pay(id, 500)).json.current.id
      const second = (await pay(id, 700, "CASH")).json.current.id
      const key = newKey()
      const cancelled = await cancel(id, second, key)
      expect(cancelled.status).toBe(201)
      const [{ copy, refund }] = cancelled.json.advanceCancellations
      expect(refund).toMatchObject({ invoiceType: "ADVANCE", transactionType: "REFUND", fiscalized: true, reference: { fiscalDocumentId: second } })
      expect(copy).toMatchObject({
        invoiceType: "COPY",
        transactionType: "REFUND",
        fiscalized: true,
        idempotencyKey: `${key}:copy`,
        reference: { fiscalDocumentId: refund.id }
      })
      expect(cancelled.json).toMatchObject({ cancelledAdvanceSaleIds: [second], totalAdvance: 500, state: "OPEN" })
      expect((await cancel(id, second, key)).json).toEqual(cancelled.json)
      const byCard = await cancel(id, first)
      expect(byCard.json.advanceCancellations[1].copy).toBeNull()
      const next = await pay(id, 900)
      expect(next.json.current.reference).toBeUndefined()
    })

    it("lists the cases latest first, page by page and by state: an empty one too, whose id nothing else tells", async () => {
      const clientReference = `list-${randomUUID()}`
      const opened: Array<string> = []
      for (let at = 0; at < 5; at++) opened.push(await open({ clientReference }))
      const [first = "", , third = ""] = opened
      await pay(first, 500)
      await pay(third, 500)
      await close(third, 500, 0)
      const list = async (query: string) => (await api.get(`/v1/advance-cases?clientReference=${clientReference}${query}`)).json
      const ids = (page: { readonly items: ReadonlyArray<{ readonly id: string }> }) => page.items.map(({ id }) => id)
      const inOrder = ids(await list(""))
      expect(inOrder.toSorted()).toEqual(opened.toSorted())
      const pages = [await list("&pageSize=2")]
      while (pages.at(-1).nextCursor !== null) pages.push(await list(`&pageSize=2&cursor=${pages.at(-1).nextCursor}`))
      expect(pages.flatMap(ids)).toEqual(inOrder)
      expect(pages).toHaveLength(3)
      expect(ids(await list("&state=CLOSED"))).toEqual([third])
      expect(ids(await list("&state=CLOSED&state=OPEN"))).toEqual(inOrder)
      expect((await list("&state=CLOSED")).items[0]).toEqual((await api.get(`/v1/advance-cases/${third}`)).json)
      expect(ids(await list("&createdTo=2026-01-01T00:00:00Z"))).toEqual([])
      const { json: paidCase } = await api.get(`/v1/advance-cases/${first}`)
      const { pfr } = paidCase.advanceSales[0]
      const { cashier } = samplePayment(api.target, 1)
      expect(ids(await list(`&pfrNumber=${pfr.invoiceNumber}`))).toEqual([first])
      expect(ids(await list(`&text=${pfr.invoiceNumber.slice(0, 12)}&cashierId=${encodeURIComponent(cashier.id)}`))).toContain(first)
      expect(ids(await list(`&pfrFrom=2026-01-01T00:00:00Z&cashierId=${encodeURIComponent(cashier.id)}`))).toEqual(inOrder.filter((id) => id === first || id === third))
      const paged = await list("&pfrFrom=2026-01-01T00:00:00Z&pageSize=1")
      expect([ids(paged), ids(await list(`&pfrFrom=2026-01-01T00:00:00Z&pageSize=1&cursor=${paged.nextCursor}`))].flat()).toEqual(inOrder.filter((id) => id === first || id === third))
      expect(ids(await list(`&pfrNumber=${pfr.invoiceNumber}&state=CLOSED`))).toEqual([])
      expect(ids(await list("&buyerId=10:100000008&pfrTo=2026-01-01T00:00:00Z"))).toEqual([])
      const foreign = await api.get(`/v1/advance-cases?clientReference=${clientReference}`, api.target.other)
      expect(foreign.json).toEqual({ items: [], nextCursor: null })
      const wrong = await api.get("/v1/advance-cases?state=open&createdFrom=yesterday&cursor=x")
      expect([wrong.status, Object.keys(wrong.json.errors).toSorted()]).toEqual([422, ["State"]])
      const untimely = await api.get("/v1/advance-cases?pfrFrom=yesterday&createdFrom=yesterday")
      expect([untimely.status, Object.keys(untimely.json.errors).toSorted()]).toEqual([422, ["CreatedFrom", "PfrFrom"]])
    })

    it("[proves:ADVANCE_CANCELLATION_TARGET_NOT_LATEST] cancels nothing but the latest advance", async () => {
      const id = await open()
      const first = (await pay(id, 500)).json.current.id
      await pay(id, 700)
      expect(refused(await cancel(id, first))).toEqual([422, "ADVANCE_CANCELLATION_TARGET_NOT_LATEST"])
      expect(refused(await cancel(id, randomUUID()))).toEqual([422, "REFERENCE_DOCUMENT_NOT_FOUND"])
    })

    it("closes a case: the Advance Refund of all advances, then the final sale, which refers to it and takes the rest", async () => {
      const id = await open()
      await pay(id, 36000)
      await pay(id, 48000, "WIRE_TRANSFER")
      const key = newKey()
      const closed = await close(id, 120000, 36000, key)
      expect(closed.status).toBe(201)
      const { advanceRefund, finalSale } = closed.json
      expect(closed.json).toMatchObject({ state: "CLOSED", remainingPayments: [{ type: "CASH", amount: 36000 }] })
      expect(closed.json.current).toEqual(finalSale)
      expect(advanceRefund).toMatchObject({ fiscalized: true, invoiceType: "ADVANCE", transactionType: "REFUND", idempotencyKey: `${key}:advance-refund` })
      expect(advanceRefund.reference.fiscalDocumentId).toBe(closed.json.advanceSales[1].id)
      expect(finalSale).toMatchObject({ fiscalized: true, invoiceType: "NORMAL", transactionType: "SALE", idempotencyKey: key })
      expect(finalSale.reference.fiscalDocumentId).toBe(advanceRefund.id)
      const again = await close(id, 120000, 36000, key)
      expect(again.status).toBe(200)
      expect(again.json).toEqual(closed.json)
    })

    it("closes a case of which nothing remains with one payment of 0", async () => {
      const id = await open()
      await pay(id, 1000)
      const closed = await close(id, 1000, 0)
      expect(closed.status).toBe(201)
      expect(closed.json).toMatchObject({ state: "CLOSED", remainingPayments: [{ type: "CASH", amount: 0 }] })
    })

    it("counts an external advance: alone without an Advance Refund and reference, beside own ones in the sum", async () => {
      const externalAdvance = { documentNumber: "2022-15", documentTime: "2022-01-05T12:00:00.000+01:00", amount: 300, taxAmount: 50 }
      const alone = await open({ externalAdvance })
      const closed = await close(alone, 1000, 700)
      expect(closed.status).toBe(201)
      expect(closed.json).toMatchObject({ state: "CLOSED", advanceRefund: null, totalAdvance: 300, externalAdvance })
      expect(closed.json.finalSale.reference).toBeUndefined()
      const beside = await open({ externalAdvance })
      await pay(beside, 200)
      const both = await close(beside, 1000, 500)
      expect(both.json).toMatchObject({ state: "CLOSED", totalAdvance: 500 })
      expect(both.json.finalSale.reference.fiscalDocumentId).toBe(both.json.advanceRefund.id)
    })

    it("[proves:ADVANCE_CLOSE_TOTAL_MISMATCH] refuses another sum, and an advance larger than the goods, and reserves nothing", async () => {
      const id = await open()
      await pay(id, 1000)
      const wrong = await close(id, 2500, 1499.99)
      expect(refused(wrong)).toEqual([422, "ADVANCE_CLOSE_TOTAL_MISMATCH"])
      expect(wrong.json).toMatchObject({ expected: 1500, totalAdvance: 1000, finalTotal: 2500 })
      const tooLarge = await close(id, 900, 0)
      expect(refused(tooLarge)).toEqual([422, "ADVANCE_CLOSE_TOTAL_MISMATCH"])
      expect(tooLarge.json).toMatchObject({ expected: -100, message: expect.stringContaining("cancel advance sales") })
      const twice = await close(id, 1000, 0, newKey(), { remainingPayments: [{ type: "CASH", amount: 0 }, { type: "CARD", amount: 0 }] })
      expect(refused(twice)).toEqual([422, "ADVANCE_CLOSE_TOTAL_MISMATCH"])
      expect(twice.json.message).toContain("exactly one payment, of amount 0")
      const read = await api.get(`${advancePath}/${id}`)
      expect(read.json).toMatchObject({ state: "OPEN", finalSale: null, advanceRefund: null })
    })

    it("[proves:ADVANCE_CASE_HAS_NO_FISCALIZED_SALE] refuses to close a case without an advance", async () => {
      expect(refused(await close(await open(), 1000, 1000))).toEqual([422, "ADVANCE_CASE_HAS_NO_FISCALIZED_SALE"])
    })

    it("[proves:ADVANCE_CASE_NOT_OPEN] takes nothing more once it is closed", async () => {
      const id = await open()
      const sale = (await pay(id, 1000)).json.current.id
      await close(id, 1000, 0)
      expect(refused(await pay(id, 1))).toEqual([409, "ADVANCE_CASE_NOT_OPEN"])
      expect(refused(await cancel(id, sale))).toEqual([409, "ADVANCE_CASE_NOT_OPEN"])
      expect(refused(await close(id, 1000, 0))).toEqual([409, "ADVANCE_CASE_NOT_OPEN"])
    })

    it("needs an identified buyer to close, and takes the optional field for the final sale alone", async () => {
      const id = await open({ buyer: null })
      await pay(id, 1000)
      const without = await close(id, 1500, 500)
      expect(without.status).toBe(422)
      expect(without.json.errors["Buyer.Id"]).toBeDefined()
      const closed = await close(id, 1500, 500, newKey(), { buyer: { id: "10:100000008", optionalField: "20:12" } })
      expect(closed.status).toBe(201)
      expect([closed.json.advanceRefund.buyerId, closed.json.finalSale.buyerId]).toEqual(["10:100000008", "10:100000008"])
    })

    it("[proves:ADVANCE_CASE_NOT_FOUND] does not know another organization's case, nor what is no id", async () => {
      const id = await open()
      const elsewhere = await api.get(`${advancePath}/${id}`, api.target.other)
      expect(refused(elsewhere)).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
      expect(refused(await api.get(`${advancePath}/${id}`, api.target.production))).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
      expect(refused(await api.get(`${advancePath}/7`))).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
      expect(refused(await pay(randomUUID(), 1))).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
      const foreign = await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 10), { credential: api.target.other })
      expect(refused(foreign)).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
      const label = api.target.labels.production
      const items = [{ name: `10: Аванс (${label})`, quantity: 1, unitPrice: 10, taxLabels: [label] }]
      const inProduction = await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 10, "CARD", { items }), { credential: api.target.production })
      expect(refused(inProduction)).toEqual([404, "ADVANCE_CASE_NOT_FOUND"])
    })

    it("accepts an earlier day only with a wire transfer, and never today", async () => {
      const id = await open()
      const send = (type: PaymentType, paymentOccurredAt: string) =>
        api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 100, type, { paymentOccurredAt }))
      const dayBeforeYesterday = new Date(Date.now() - 2 * 86_400_000).toISOString()
      expect((await send("CARD", dayBeforeYesterday)).json.errors.PaymentOccurredAt[0]).toContain("WIRE_TRANSFER")
      expect((await send("WIRE_TRANSFER", new Date().toISOString())).status).toBe(422)
      expect((await send("WIRE_TRANSFER", dayBeforeYesterday)).status).toBe(201)
      const named = await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 100, "WIRE_TRANSFER", { transactionOccurredAt: "2026-08-01T10:00:00+02:00" }))
      expect(named.status).toBe(422)
      expect(JSON.stringify(named.json)).toContain("is given by paymentOccurredAt")
    })

    it("refuses misspelt members, an optional field on opening and a literal with another label, all faults at once", async () => {
      const opening = await api.post(advancePath, sampleCase(api.target, { buyer: { id: "20:1", optionalField: "20:1" }, remark: "x" }))
      expect(Object.keys(opening.json.errors).sort()).toEqual(["Buyer.OptionalField", "Remark"])
      const id = await open()
      const payment = samplePayment(api.target, 10)
      const wrong = await api.post(`${advancePath}/${id}/payments`, { ...payment, cashier: {}, payments: [{ type: "CARD", amount: 9 }] })
      expect(Object.keys(wrong.json.errors).sort()).toEqual(["Cashier.Id", "totals"])
    })

    it("leaves the final sale refundable and the advance not, by the refund workflow", async () => {
      const id = await open()
      const sale = (await pay(id, 1000)).json.current.id
      const refund = await api.post("/v1/refund-workflows", {
        taxpayerId: api.target.taxpayerId,
        businessPremiseId: api.target.businessPremiseId,
        clientReference: "R",
        original: { source: "SVC", fiscalDocumentId: sale },
        cashier: { id: "web" },
        buyer: caseBuyer,
        items: [{ ...samplePayment(api.target, 1000).items[0], originalLineIndex: 0 }],
        payments: [{ type: "CARD", amount: 1000 }]
      })
      expect(refused(refund)).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    })

    it("opens cases in production too, where licence and module are there", async () => {
      const { production } = api.target
      const body = sampleCase(api.target, { taxpayerId: production.taxpayerId, businessPremiseId: production.businessPremiseId })
      const answer = await api.post(advancePath, body, { credential: production })
      // The ready production credential has every module.
      expect(answer.status).toBe(201)
    })
  })
