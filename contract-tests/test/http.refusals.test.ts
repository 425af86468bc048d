import { DateTime } from "effect"
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { beforeEach, describe, expect, it } from "vitest"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type ApiAnswer, ApiClient, newKey } from "../src/support/ApiClient.ts"
import { startMemoryApi } from "../src/support/memoryApi.ts"
import { memoryLicense, memoryShop } from "../src/support/memoryTenancy.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const path = "/v1/fiscal-documents"

/** Every refusal that needs a changed environment: premise, licence, installation, V-PFR, store. */
describe("refusals over HTTP", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => {
    const { authority, shops, surroundings } = memory
    authority.mood = "sign"
    Object.assign(surroundings, { license: memoryLicense, adapterConfigured: true, trafficEnabled: true, restoring: false, proformaReferences: false, taxRates: true, store: true, bug: null })
    for (const shop of [shops.sandbox, shops.production]) {
      const fresh = memoryShop(shop.organizationId, shop.environment).place
      const { premise, taxpayer } = shop.place
      const place = { ...fresh, taxpayer: { ...fresh.taxpayer, id: taxpayer.id } }
      shop.place = fresh.premise === null || premise === null
        ? place
        : { ...place, premise: { ...fresh.premise, id: premise.id, taxpayerId: taxpayer.id } }
    }
  })
  const sell = () => api.post(path, sampleSale(api.target))
  const sellInProduction = () => {
    const { production } = api.target
    return api.post(path, sampleSale(api.target, { of: production, environment: "production" }), { credential: production })
  }
  const premise = () => {
    const { premise: there } = memory.shops.sandbox.place
    if (there === null) throw new Error("The shop has no premise.")
    return there
  }
  const changePremise = (change: Partial<ReturnType<typeof premise>>) => {
    memory.shops.sandbox.place = { ...memory.shops.sandbox.place, premise: { ...premise(), ...change } }
  }
  const refusal = ({ json, status }: { readonly status: number; readonly json: { readonly code: string } }) => [status, json.code]

  it("[proves:LPFR_REQUIRED_FOR_IN_PERSON_SALES] refuses a premise that sells in person", async () => {
    changePremise({ commerceMode: "in_person" })
    expect(refusal(await sell())).toEqual([422, "LPFR_REQUIRED_FOR_IN_PERSON_SALES"])
  })

  it.each(["suspended", "closed"] as const)("[proves:BUSINESS_PREMISE_INACTIVE] refuses a %s premise", async (status) => {
    changePremise({ status })
    expect(refusal(await sell())).toEqual([422, "BUSINESS_PREMISE_INACTIVE"])
  })

  it("[proves:PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE] refuses a card on a restricted premise", async () => {
    changePremise({ paymentMode: "restricted" })
    expect(refusal(await sell())).toEqual([422, "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE"])
  })

  it("refuses a proforma as a sale's reference until an operator lets it be named, and then anything else", async () => {
    const proforma = await api.post("/v1/proforma-training-workflows", { ...sampleSale(api.target), invoiceType: "PROFORMA" })
    const sale = await sell()
    const naming = (reference: unknown) => api.post(path, { ...sampleSale(api.target), reference })
    const ours = (fiscalDocumentId: string) => naming({ source: "SVC", fiscalDocumentId })
    const external = { source: "EXTERNAL", pfrNumber: "AAAA1111-BBBB2222-7", pfrTime: "2026-01-31T23:30:00Z", transactionType: "SALE" }
    for (const refused of [await ours(proforma.json.document.id), await ours(randomUUID()), await naming({ ...external, invoiceType: "PROFORMA" })]) {
      expect(refused).toMatchObject({ status: 422, json: { code: "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED", allowed: [] } })
    }
    memory.surroundings.proformaReferences = true
    const key = newKey()
    const sold = await api.post(path, { ...sampleSale(api.target), reference: { source: "SVC", fiscalDocumentId: proforma.json.document.id } }, { key })
    expect(sold).toMatchObject({ status: 201, json: { reference: { fiscalDocumentId: proforma.json.document.id } } })
    expect((await naming({ ...external, invoiceType: "PROFORMA" })).json.reference).toMatchObject({ pfrNumber: "AAAA1111-BBBB2222-7" })
    expect(refusal(await ours(randomUUID()))).toEqual([422, "REFERENCE_DOCUMENT_NOT_FOUND"])
    expect(refusal(await ours(sale.json.id))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    expect(refusal(await naming({ ...external, invoiceType: "NORMAL" }))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    expect((await api.post("/v1/fiscal-documents/dry-run", { ...sampleSale(api.target), reference: { source: "SVC", fiscalDocumentId: proforma.json.document.id } })).json.valid).toBe(true)
    // Switched off again, the receipt stays, and its key answers it.
    memory.surroundings.proformaReferences = false
    const again = await api.post(path, { ...sampleSale(api.target), reference: { source: "SVC", fiscalDocumentId: proforma.json.document.id } }, { key })
    expect([again.status, again.json]).toEqual([200, sold.json])
  })

  it("[proves:ACTIVE_SECURITY_ELEMENT_REQUIRED] refuses a premise without an active element", async () => {
    memory.shops.sandbox.place = { ...memory.shops.sandbox.place, activeElement: null }
    expect(refusal(await sell())).toEqual([422, "ACTIVE_SECURITY_ELEMENT_REQUIRED"])
  })

  it("[proves:CREDENTIAL_ENVIRONMENT_MISMATCH] refuses an element of the other environment", async () => {
    const { activeElement } = memory.shops.sandbox.place
    if (activeElement === null) throw new Error("The shop has no element.")
    memory.shops.sandbox.place = { ...memory.shops.sandbox.place, activeElement: { ...activeElement, environment: "production" } }
    expect(refusal(await sell())).toEqual([403, "CREDENTIAL_ENVIRONMENT_MISMATCH"])
  })

  it("[proves:TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT] refuses a VAT label of a taxpayer outside VAT", async () => {
    const { place } = memory.shops.sandbox
    memory.shops.sandbox.place = { ...place, taxpayer: { ...place.taxpayer, vatStatus: "OUTSIDE_VAT" } }
    expect(refusal(await sell())).toEqual([422, "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"])
  })

  const soon = DateTime.add(DateTime.nowUnsafe(), { days: 1 })
  const ago = DateTime.subtract(DateTime.nowUnsafe(), { days: 1 })
  it.each([
    ["LICENSE_REQUIRED", null],
    ["LICENSE_NOT_STARTED", { ...memoryLicense, startsAt: soon }],
    ["LICENSE_EXPIRED", { ...memoryLicense, expiresAt: ago }],
    ["LICENSE_SUSPENDED", { ...memoryLicense, suspended: true }]
  ] as const)("[proves:LICENSE_REQUIRED] [proves:LICENSE_NOT_STARTED] [proves:LICENSE_EXPIRED] [proves:LICENSE_SUSPENDED] %s: production is refused, sandbox never, and GET /v1/license says so in advance", async (code, license) => {
    memory.surroundings.license = license
    expect(refusal(await sellInProduction())).toEqual([403, code])
    expect((await sell()).status).toBe(201)
    const { json } = await api.get("/v1/license")
    expect(json).toMatchObject({ productionFiscalizationAllowed: false, reason: code })
  })

  it("[proves:PFR_SANDBOX_NOT_CONFIGURED] says expressly that nothing was fiscalized", async () => {
    memory.surroundings.adapterConfigured = false
    const answer = await sell()
    expect(refusal(answer)).toEqual([503, "PFR_SANDBOX_NOT_CONFIGURED"])
    expect(answer.json.fiscalized).toBe(false)
    expect(answer.headers.get("retry-after")).not.toBeNull()
    expect((await api.get("/v1/runtime")).json).toMatchObject({ pfrAdapter: "not_configured", fiscalEndpointsEnabled: false })
  })

  it("[proves:PFR_ENVIRONMENT_DISABLED] refuses while the environment's traffic is off", async () => {
    memory.surroundings.trafficEnabled = false
    const answer = await sell()
    expect(refusal(answer)).toEqual([503, "PFR_ENVIRONMENT_DISABLED"])
    expect(answer.json.fiscalized).toBe(false)
  })

  it("[proves:RESTORE_IN_PROGRESS] reserves nothing while a restore is declared; what is stored is still answered", async () => {
    const before = newKey()
    const issued = await api.post(path, sampleSale(api.target), { key: before })
    expect(issued.status).toBe(201)
    memory.surroundings.restoring = true
    const key = newKey()
    const refused = await api.post(path, sampleSale(api.target), { key })
    expect(refusal(refused)).toEqual([503, "RESTORE_IN_PROGRESS"])
    expect(refused.json.fiscalized).toBe(false)
    expect(refused.headers.get("retry-after")).not.toBeNull()
    const replayed = await api.post(path, sampleSale(api.target), { key: before })
    expect([replayed.status, replayed.json.id]).toEqual([200, issued.json.id])
    memory.surroundings.restoring = false
    // The key was not bound: it may now have other content.
    expect((await api.post(path, sampleSale(api.target, { clientReference: "ANOTHER" }), { key })).status).toBe(201)
  })

  it("[proves:CURRENT_TAX_CONFIGURATION_UNAVAILABLE] binds no key while the V-PFR publishes no rates", async () => {
    memory.surroundings.taxRates = false
    const key = newKey()
    const refused = await api.post(path, sampleSale(api.target), { key })
    expect(refusal(refused)).toEqual([503, "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"])
    expect(refused.json.fiscalized).toBe(false)
    memory.surroundings.taxRates = true
    const other = await api.post(path, sampleSale(api.target, { clientReference: "ANOTHER" }), { key })
    expect(other.status).toBe(201)
    memory.surroundings.taxRates = false
    const rates = await api.get(`/v1/tax-rates?taxpayerId=${api.target.taxpayerId}&businessPremiseId=${api.target.businessPremiseId}`)
    expect(refusal(rates)).toEqual([503, "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"])
  })

  it("[proves:STORE_UNAVAILABLE] answers 503 with Retry-After when the store cannot", async () => {
    memory.surroundings.store = false
    const answer = await sell()
    expect(refusal(answer)).toEqual([503, "STORE_UNAVAILABLE"])
    expect(answer.headers.get("retry-after")).toBe("2")
  })

  it.each([
    ["unavailable", "PFR_UNAVAILABLE"],
    ["elementUnavailable", "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["cancelled", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"]
  ] as const)(
    "[proves:PFR_UNAVAILABLE] [proves:PFR_SECURITY_ELEMENT_UNAVAILABLE] [proves:PFR_SUBMISSION_CANCELLED_BEFORE_SEND] %s: answers the document, %s, and drives it again under the same key",
    async (mood, failureCode) => {
      memory.authority.mood = mood
      const key = newKey()
      const first = await api.post(path, sampleSale(api.target), { key })
      expect(first.status).toBe(503)
      expect(first.json).toMatchObject({ status: "NOT_FISCALIZED", fiscalized: false, retryable: true, failureCode, pfr: null })
      expect(first.headers.get("retry-after")).toBe("2")
      memory.authority.mood = "sign"
      const again = await api.post(path, sampleSale(api.target), { key })
      expect(again.status).toBe(201)
      expect(again.json.id).toBe(first.json.id)
    }
  )

  it("[proves:PFR_VALIDATION_REJECTED] answers 422 with the V-PFR's refusal, and the same to every replay", async () => {
    memory.authority.mood = "reject"
    const key = newKey()
    const first = await api.post(path, sampleSale(api.target), { key })
    expect(first.status).toBe(422)
    expect(first.json).toMatchObject({ status: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED" })
    expect(first.json.pfrRejection).toEqual({ items: [{ property: "payments[0].amount", codes: ["2804"] }] })
    memory.authority.mood = "sign"
    const again = await api.post(path, sampleSale(api.target), { key })
    expect([again.status, again.json]).toEqual([422, first.json])
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect((await api.get(`${path}/${first.json.id}`)).json).toEqual(first.json)
  })

  it.each([["silent", "OUTCOME_UNKNOWN"], ["fault", "PFR_SUBMISSION_FAULT"]] as const)(
    "[proves:OUTCOME_UNKNOWN] [proves:PFR_SUBMISSION_FAULT] %s: answers 503 %s with the time and the address to ask at, and never sends again",
    async (mood, failureCode) => {
      memory.authority.mood = mood
      const key = newKey()
      const before = memory.authority.signed.length
      const first = await api.post(path, sampleSale(api.target), { key })
      expect(first.status).toBe(503)
      expect(first.json).toMatchObject({ status: "OUTCOME_UNKNOWN", retryable: false, fiscalized: false, receipt: null, failureCode })
      const next = ({ headers }: ApiAnswer) => [headers.get("retry-after"), headers.get("location")]
      expect(next(first)).toEqual(["30", `/v1/operations/${first.json.id}`])
      memory.authority.mood = "sign"
      const again = await api.post(path, sampleSale(api.target), { key })
      expect([again.status, again.json.status, again.headers.get("idempotency-replayed"), ...next(again)]).toEqual([503, "OUTCOME_UNKNOWN", "true", ...next(first)])
      expect((await api.get(first.headers.get("location") ?? "")).json).toMatchObject({ id: first.json.id, status: "OUTCOME_UNKNOWN" })
      expect(memory.authority.signed).toHaveLength(before)
    }
  )

  it("[proves:REPRESENTATION_NOT_AVAILABLE] has no representation of what is no receipt", async () => {
    memory.authority.mood = "reject"
    const rejected = await sell()
    const answer = await api.get(`${path}/${rejected.json.id}/representations/official-text`)
    expect(refusal(answer)).toEqual([409, "REPRESENTATION_NOT_AVAILABLE"])
  })

  it("[proves:COPY_SOURCE_NOT_FISCALIZED] [proves:REFERENCE_DOCUMENT_NOT_FISCALIZED] copies and refunds only what is a receipt", async () => {
    memory.authority.mood = "reject"
    const { json } = await sell()
    memory.authority.mood = "sign"
    const copy = await api.post(`${path}/${json.id}/copies`, { cashier: { id: "web" } })
    expect(refusal(copy)).toEqual([422, "COPY_SOURCE_NOT_FISCALIZED"])
    const sale = sampleSale(api.target)
    const refund = await api.post("/v1/refund-workflows", {
      taxpayerId: sale.taxpayerId, businessPremiseId: sale.businessPremiseId, clientReference: "RETURN-1",
      original: { source: "SVC", fiscalDocumentId: json.id },
      cashier: sale.cashier,
      buyer: { id: "20:123456789" },
      items: sale.items.map((item) => ({ ...item, originalLineIndex: 0 })),
      payments: sale.payments
    })
    expect(refusal(refund)).toEqual([422, "REFERENCE_DOCUMENT_NOT_FISCALIZED"])
  })

  it("finishes what a caller who went away had already sent", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    memory.authority.mood = { waitFor: answered }
    const key = newKey()
    const before = memory.authority.arrived.length
    const body = JSON.stringify(sampleSale(api.target))
    const url = new URL(api.target.baseUrl)
    const socket = connect(Number(url.port), url.hostname)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${await api.token()}\r\nIdempotency-Key: ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
    await expect.poll(() => memory.authority.arrived.length).toBe(before + 1)
    socket.destroy()
    answer()
    const replayed = await api.post(path, body, { key })
    expect(replayed.status).toBe(200)
    expect(replayed.json).toMatchObject({ fiscalized: true, idempotencyKey: key })
    expect(memory.authority.arrived).toHaveLength(before + 1)
  })

  it("[proves:INTERNAL_ERROR] hides the cause of a fault of ours, and logs it under the request's id", async () => {
    memory.surroundings.bug = "a table named in the stack"
    const answer = await api.send({
      method: "GET",
      path: "/v1/license",
      token: await api.token(),
      headers: { "X-Request-Id": "fault-1" }
    })
    expect(refusal(answer)).toEqual([500, "INTERNAL_ERROR"])
    expect(answer.text).not.toContain("table")
    const logged = memory.log.map((line) => JSON.parse(line)).find(({ event, requestId }) => event === "fault" && requestId === "fault-1")
    expect(logged.cause).toContain("a table named in the stack")
  })

  it("logs one line per request without a secret or a name of anybody", async () => {
    const { json } = await sell()
    await expect.poll(() => memory.log.some((line) => line.includes(json.id))).toBe(true)
    const entry = JSON.parse(memory.log.find((line) => line.includes(json.id)) ?? "{}")
    expect(entry).toMatchObject({ event: "request", route: path, method: "POST", status: 201, clientId: api.target.clientId })
    expect(memory.log.join("\n")).not.toContain("Чарапе")
    expect(memory.log.join("\n")).not.toContain("Bearer")
  })
})

describe("rate limit", () => {
  it("[proves:RATE_LIMITED] refuses a credential that floods, binds nothing, and says when to come back", async () => {
    const memory = await startMemoryApi({ rateLimit: { perSecond: 0.001, burst: 2 } })
    const api = await ApiClient.of(memory.target)
    await api.get("/v1/runtime")
    await api.get("/v1/runtime")
    const refused = await api.get("/v1/runtime")
    expect([refused.status, refused.json.code]).toEqual([429, "RATE_LIMITED"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.headers.get("ratelimit")).toMatch(/r=0/)
    expect((await api.get("/v1/runtime", memory.target.other)).status).toBe(200)
    await memory.running.stop()
  })

  it("[proves:RATE_LIMITED] refuses what would stay in memory until its caller has read it", async () => {
    const enough = { requests: 1_024, bodyBytes: 8_388_608, answerBytes: 33_554_432 }
    const fetched = async (capacity: typeof enough) => {
      const memory = await startMemoryApi({ capacity })
      const api = await ApiClient.of(memory.target)
      const sale = sampleSale(api.target)
      const items = Array.from({ length: 100 }, (_, line) => ({ ...sale.items[0], name: `Чарапе ${line} `.padEnd(200, "а") }))
      const issued = await api.post(path, { ...sale, items, payments: [{ type: "CARD", amount: 2_401 * items.length }] })
      const file = await api.get(`${path}/${issued.json.id}/representations/canonical-json`)
      const document = await api.get(`${path}/${issued.json.id}`)
      await memory.running.stop()
      return { file, document }
    }
    const whole = await fetched(enough)
    expect([whole.file.status, whole.document.status]).toEqual([200, 200])
    expect(whole.file.headers.get("content-disposition")).not.toBeNull()
    const { document, file } = await fetched({ ...enough, answerBytes: 16_000 })
    expect([file.status, file.headers.get("etag"), file.headers.get("content-disposition")]).toEqual([429, null, null])
    expect(file.headers.get("retry-after")).toBe("1")
    expect(document.status).toBe(200)
  })
})
