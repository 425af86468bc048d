import { DateTime } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type ApiAnswer, newKey } from "../src/support/ApiClient.ts"
import { memoryLicense, memoryShop } from "../src/support/memoryTenancy.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const path = "/v1/refund-workflows"

/** Each state of a refund workflow from the caller's view; the V-PFR is told how to answer the refund and its copy. */
describe("refunds over HTTP, state by state", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => {
    const { authority, shops, surroundings } = memory
    Object.assign(authority, { mood: "sign", copyMood: null })
    Object.assign(surroundings, { license: memoryLicense, adapterConfigured: true, trafficEnabled: true, taxRates: true, store: true, bug: null })
    const { premise, taxpayer } = shops.sandbox.place
    const fresh = memoryShop(shops.sandbox.organizationId, "sandbox").place
    if (fresh.premise === null || premise === null) throw new Error("The shop has no premise.")
    shops.sandbox.place = {
      ...fresh,
      taxpayer: { ...fresh.taxpayer, id: taxpayer.id },
      premise: { ...fresh.premise, id: premise.id, taxpayerId: taxpayer.id }
    }
  })
  const sell = async (): Promise<string> => (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id
  const body = async (type = "CARD") => sampleRefund(api.target, await sell(), { type })
  const left = async (original: string) => (await api.get(`/v1/fiscal-documents/${original}/refundable`)).json.lines[0]
  const said = ({ headers, json, status }: ApiAnswer) => ({
    status,
    workflow: json.status,
    failureCode: json.failureCode,
    retryAfter: headers.get("retry-after"),
    replayed: headers.get("idempotency-replayed") === "true"
  })

  it("[proves:PFR_VALIDATION_REJECTED] a rejected refund is FAILED, 422 with pfrRejection, and so is its replay; what it held is free", async () => {
    const refund = await body()
    const key = newKey()
    memory.authority.mood = "reject"
    const first = await api.post(path, refund, { key })
    expect(said(first)).toEqual({ status: 422, workflow: "FAILED", failureCode: "PFR_VALIDATION_REJECTED", retryAfter: null, replayed: false })
    expect(first.json.refund).toMatchObject({ status: "REJECTED", fiscalized: false, retryable: false, pfr: null })
    expect(first.json.refund.pfrRejection).toEqual({ items: [{ property: "payments[0].amount", codes: ["2804"] }] })
    memory.authority.mood = "sign"
    const again = await api.post(path, refund, { key })
    expect(said(again)).toEqual({ ...said(first), replayed: true })
    expect(again.json).toEqual(first.json)
    expect((await left(refund.original.fiscalDocumentId)).quantity).toBe(2)
    expect((await api.post(path, refund)).status).toBe(201)
  })

  it.each(["PFR_UNAVAILABLE", "PFR_SECURITY_ELEMENT_UNAVAILABLE", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"] as const)(
    "[proves:PFR_UNAVAILABLE] [proves:PFR_SECURITY_ELEMENT_UNAVAILABLE] [proves:PFR_SUBMISSION_CANCELLED_BEFORE_SEND] a refund never sent, %s, is FAILED for good: 503 without Retry-After, refund.retryable true, and only a new key helps",
    async (code) => {
      const moods = {
        PFR_UNAVAILABLE: "unavailable",
        PFR_SECURITY_ELEMENT_UNAVAILABLE: "elementUnavailable",
        PFR_SUBMISSION_CANCELLED_BEFORE_SEND: "cancelled"
      } as const
      const refund = await body("CASH")
      const key = newKey()
      memory.authority.mood = moods[code]
      const first = await api.post(path, refund, { key })
      expect(said(first)).toEqual({ status: 503, workflow: "FAILED", failureCode: code, retryAfter: null, replayed: false })
      expect(first.json).toMatchObject({ refund: { status: "NOT_FISCALIZED", retryable: true }, cashRefundCopy: null })
      memory.authority.mood = "sign"
      const again = await api.post(path, refund, { key })
      expect(said(again)).toEqual({ ...said(first), replayed: true })
      expect(await left(refund.original.fiscalDocumentId)).toMatchObject({ quantity: 2, heldBy: [] })
      expect((await api.post(path, refund)).status).toBe(201)
    }
  )

  it.each(["silent", "fault"] as const)(
    "[proves:OUTCOME_UNKNOWN] [proves:PFR_SUBMISSION_FAULT] a refund of unknown outcome (%s) holds its quantities and is never sent again",
    async (mood) => {
      const refund = await body("CASH")
      const original = refund.original.fiscalDocumentId
      const key = newKey()
      memory.authority.mood = mood
      const first = await api.post(path, refund, { key })
      const failureCode = mood === "fault" ? "PFR_SUBMISSION_FAULT" : "OUTCOME_UNKNOWN"
      expect(said(first)).toEqual({ status: 503, workflow: "REFUND_OUTCOME_UNKNOWN", failureCode, retryAfter: "30", replayed: false })
      expect(first.headers.get("location")).toBe(`${path}/${first.json.id}`)
      expect(first.json).toMatchObject({ refund: { status: "OUTCOME_UNKNOWN", retryable: false }, cashRefundCopy: null })
      memory.authority.mood = "sign"
      const sent = memory.authority.arrived.length
      expect(said(await api.post(path, refund, { key }))).toEqual({ ...said(first), replayed: true })
      expect(memory.authority.arrived).toHaveLength(sent)
      const held = [{ workflowId: first.json.id, quantity: 2, amount: 2401 }]
      expect(await left(original)).toMatchObject({ quantity: 0, amount: 0, heldBy: held, item: null })
      expect((await api.post(path, refund)).json.code).toBe("REFUND_CUMULATIVE_QUANTITY_EXCEEDED")
    }
  )

  it.each(["unavailable", "elementUnavailable", "cancelled"] as const)(
    "a copy that could not be sent (%s) is COPY_PENDING, 503 with Retry-After; the refund is valid, and the same key completes it",
    async (mood) => {
      const refund = await body("CASH")
      const key = newKey()
      memory.authority.copyMood = mood
      const first = await api.post(path, refund, { key })
      expect(said(first)).toMatchObject({ status: 503, workflow: "COPY_PENDING", retryAfter: "2", replayed: false })
      expect(first.json.refund).toMatchObject({ status: "FISCALIZED", fiscalized: true })
      expect(first.json.cashRefundCopy.fiscalized).toBe(false)
      memory.authority.copyMood = null
      const again = await api.post(path, refund, { key })
      expect(said(again)).toEqual({ status: 200, workflow: "COMPLETED", failureCode: null, retryAfter: null, replayed: true })
      expect(again.json.cashRefundCopy).toMatchObject({ id: first.json.cashRefundCopy.id, fiscalized: true, idempotencyKey: `${key}:copy` })
      expect(again.json.refund).toEqual(first.json.refund)
    }
  )

  it("a copy of unknown outcome is COPY_OUTCOME_UNKNOWN, and nobody sends it again", async () => {
    const refund = await body("CASH")
    const key = newKey()
    memory.authority.copyMood = "silent"
    const first = await api.post(path, refund, { key })
    expect(said(first)).toEqual({ status: 503, workflow: "COPY_OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN", retryAfter: "30", replayed: false })
    memory.authority.copyMood = null
    const sent = memory.authority.arrived.length
    expect(said(await api.post(path, refund, { key }))).toEqual({ ...said(first), replayed: true })
    expect(memory.authority.arrived).toHaveLength(sent)
  })

  it("a rejected copy stays COPY_PENDING with its failure code and without Retry-After: only an operator sends it again", async () => {
    const refund = await body("CASH")
    const key = newKey()
    memory.authority.copyMood = "reject"
    const first = await api.post(path, refund, { key })
    expect(said(first)).toEqual({ status: 503, workflow: "COPY_PENDING", failureCode: "PFR_VALIDATION_REJECTED", retryAfter: null, replayed: false })
    expect(first.json.cashRefundCopy.pfrRejection.items).toHaveLength(1)
    memory.authority.copyMood = null
    const sent = memory.authority.arrived.length
    expect(said(await api.post(path, refund, { key }))).toEqual({ ...said(first), replayed: true })
    expect(memory.authority.arrived).toHaveLength(sent)
    expect(await left(refund.original.fiscalDocumentId)).toMatchObject({ quantity: 0, heldBy: [] })
  })

  it("switched-off traffic and a premise that lost its element leave the copy pending, never the refund undone", async () => {
    const refund = await body("CASH")
    const key = newKey()
    memory.authority.copyMood = "unavailable"
    await api.post(path, refund, { key })
    memory.authority.copyMood = null
    memory.surroundings.trafficEnabled = false
    expect(said(await api.post(path, refund, { key }))).toMatchObject({ status: 503, workflow: "COPY_PENDING", retryAfter: "2" })
    memory.surroundings.trafficEnabled = true
    const { place } = memory.shops.sandbox
    memory.shops.sandbox.place = { ...place, activeElement: null }
    expect(said(await api.post(path, refund, { key }))).toMatchObject({ status: 503, workflow: "COPY_PENDING" })
    memory.shops.sandbox.place = place
    expect((await api.post(path, refund, { key })).status).toBe(200)
  })

  it("a store that fails between refund and copy leaves COPY_PENDING, not a lost refund", async () => {
    const refund = await body("CASH")
    const key = newKey()
    memory.authority.copyMood = "unavailable"
    await api.post(path, refund, { key })
    memory.authority.copyMood = null
    // The installation's settings are read from the store too.
    memory.surroundings.store = false
    expect(said(await api.post(path, refund, { key }))).toMatchObject({ status: 503, workflow: "COPY_PENDING", retryAfter: "2" })
    memory.surroundings.store = true
    expect((await api.post(path, refund, { key })).status).toBe(200)
  })

  it("a replay waits for a copy that is being sent, and never answers SUBMITTING", async () => {
    const refund = await body("CASH")
    const key = newKey()
    const released = Promise.withResolvers<void>()
    memory.authority.copyMood = { waitFor: released.promise }
    const arrivedBefore = memory.authority.arrived.length
    const first = api.post(path, refund, { key })
    await expect.poll(() => memory.authority.arrived.length).toBe(arrivedBefore + 2)
    const second = api.post(path, refund, { key })
    released.resolve()
    const [issued, waited] = await Promise.all([first, second])
    expect([issued.status, waited.status]).toEqual([201, 200])
    expect(waited.json).toEqual(issued.json)
    expect(memory.authority.arrived).toHaveLength(arrivedBefore + 2)
  })

  it("twenty twins under one key: one refund, one copy, one workflow for everybody", async () => {
    const refund = await body("CASH")
    const key = newKey()
    const signed = memory.authority.signed.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, refund, { key })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 19 }, () => 200), 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(memory.authority.signed).toHaveLength(signed + 2)
  })

  it("neither VAT status nor missing tax rates nor a licence stop a refund; the payment mode does not stop its copies", async () => {
    const { production } = api.target
    const sale = sampleSale(api.target, { of: production, environment: "production" })
    const sold = await api.post("/v1/fiscal-documents", sale, { credential: production })
    const { place } = memory.shops.production
    memory.shops.production.place = { ...place, taxpayer: { ...place.taxpayer, vatStatus: "OUTSIDE_VAT" } }
    Object.assign(memory.surroundings, { license: null, taxRates: false })
    const refund = {
      ...sampleRefund(api.target, sold.json.id, { type: "CASH" }),
      taxpayerId: production.taxpayerId,
      businessPremiseId: production.businessPremiseId,
      items: sale.items.map((item) => ({ ...item, originalLineIndex: 0 }))
    }
    const refunded = await api.post(path, refund, { credential: production })
    expect(said(refunded)).toMatchObject({ status: 201, workflow: "COMPLETED" })
    const copy = { cashier: { id: "web" } }
    const refused = await api.post(`/v1/fiscal-documents/${sold.json.id}/copies`, copy, { credential: production })
    expect([refused.status, refused.json.code]).toEqual([403, "LICENSE_REQUIRED"])
    const expired = { ...memoryLicense, expiresAt: DateTime.subtract(DateTime.nowUnsafe(), { days: 1 }) }
    memory.surroundings.license = expired
    const late = await api.post(`/v1/fiscal-documents/${sold.json.id}/copies`, copy, { credential: production })
    expect([late.status, late.json.code]).toEqual([403, "LICENSE_EXPIRED"])
    memory.shops.production.place = place
  })

  it("[proves:PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE] a restricted premise refuses a refund to a card and lets a copy of a card sale pass", async () => {
    const sale = await sell()
    const { place } = memory.shops.sandbox
    if (place.premise === null) throw new Error("The shop has no premise.")
    memory.shops.sandbox.place = { ...place, premise: { ...place.premise, paymentMode: "restricted" } }
    const refused = await api.post(path, sampleRefund(api.target, sale))
    expect([refused.status, refused.json.code]).toEqual([422, "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE"])
    expect((await api.post(`/v1/fiscal-documents/${sale}/copies`, { cashier: { id: "web" } })).status).toBe(201)
  })
  it("[proves:COPY_SOURCE_NOT_FISCALIZED] [proves:REFERENCE_DOCUMENT_NOT_FISCALIZED] what is no receipt is neither copied nor refunded", async () => {
    memory.authority.mood = "silent"
    const unknown = await api.post("/v1/fiscal-documents", sampleSale(api.target))
    memory.authority.mood = "sign"
    expect(unknown.json.status).toBe("OUTCOME_UNKNOWN")
    const copied = await api.post(`/v1/fiscal-documents/${unknown.json.id}/copies`, { cashier: { id: "web" } })
    expect([copied.status, copied.json.code]).toEqual([422, "COPY_SOURCE_NOT_FISCALIZED"])
    const refunded = await api.post(path, sampleRefund(api.target, unknown.json.id))
    expect([refunded.status, refunded.json.code]).toEqual([422, "REFERENCE_DOCUMENT_NOT_FISCALIZED"])
  })
})
