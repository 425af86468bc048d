import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { sandboxTarget } from "../src/http/sandboxTarget.ts"
import { VpfrControl } from "../src/http/VpfrControl.ts"
import { type ApiAnswer, ApiClient, newKey } from "../src/support/ApiClient.ts"
import { pdfLines, readPdf } from "../src/support/pdfText.ts"
import { type SandboxProcess, startSandboxProcess } from "../src/support/sandboxProcess.ts"

const path = "/v1/refund-workflows"
const polling = { timeout: 50_000, interval: 250 }

/** Refunds and copies over the real path: REST host, PostgreSQL, worker, and the simulator over mutual TLS. */
describe("refunds and copies on the sandbox", () => {
  let sandbox: SandboxProcess
  let api: ApiClient
  let vpfr: VpfrControl
  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    vpfr = VpfrControl.ofSandbox(sandbox.file)
    api = await ApiClient.of(await sandboxTarget(sandbox.file))
  }, 120_000)
  afterAll(() => sandbox.stop())
  afterEach(() => vpfr.clearFaults())

  const sell = async (change: object = {}): Promise<ApiAnswer["json"]> =>
    (await api.post("/v1/fiscal-documents", { ...sampleSale(api.target), ...change })).json
  const body = async (type = "CARD") => sampleRefund(api.target, (await sell()).id, { type })
  const refused = ({ json, status }: ApiAnswer) => [status, json.code]
  const pointers = ({ json }: ApiAnswer) => json.details.map(({ pointer }: { readonly pointer: string }) => pointer)
  const refundable = async (original: string) => (await api.get(`/v1/fiscal-documents/${original}/refundable`)).json.lines[0]
  const copy = (id: string, key = newKey()) => api.post(`/v1/fiscal-documents/${id}/copies`, { cashier: { id: "web" } }, { key })
  const settled = async (id: string) => {
    await expect.poll(async () => (await api.get(`${path}/${id}`)).json.status, polling).toBe("COMPLETED")
    return (await api.get(`${path}/${id}`)).json
  }
  const paper = async (id: string): Promise<string> => {
    const answer = await fetch(`${api.target.baseUrl}/v1/fiscal-documents/${id}/representations/pdf-80mm`, {
      headers: { Authorization: `Bearer ${await api.token()}` }
    })
    return pdfLines(await readPdf(new Uint8Array(await answer.arrayBuffer()))).join("\n")
  }

  it("two halves of 9.99 come to 9.99: 5.00, then exactly what is left", async () => {
    const item = { name: "Кафа", unitOfMeasure: "кг", quantity: 1, unitPrice: 9.99, taxLabels: [api.target.labels.sandbox] }
    const sale = await sell({ items: [item], payments: [{ type: "CARD", amount: 9.99 }] })
    const half = (amount: number) => ({
      ...sampleRefund(api.target, sale.id, { amount }),
      items: [{ ...item, quantity: 0.5, originalLineIndex: 0 }]
    })
    const before = (await vpfr.receipts()).length
    expect((await api.post(path, half(5))).json.refund.pfr.totalAmount).toBe(5)
    expect(await refundable(sale.id)).toMatchObject({ quantity: 0.5, amount: 4.99 })
    const tooMuch = await api.post(path, half(5))
    expect(tooMuch.status).toBe(422)
    expect(tooMuch.json.errors.totals[0]).toContain("4.99")
    expect((await api.post(path, half(4.99))).status).toBe(201)
    expect((await vpfr.signedSince(before)).map(({ totalAmount }) => totalAmount)).toEqual([5, 4.99])
    expect(await refundable(sale.id)).toMatchObject({ quantity: 0, amount: 0, item: null })
  })

  it("a cash refund and its copy: each signed once, referring as they must, the signature line on the copy's paper alone", async () => {
    const refund = await body("CASH")
    const before = (await vpfr.receipts()).length
    const { json, status } = await api.post(path, refund)
    expect([status, json.status]).toEqual([201, "COMPLETED"])
    // NORMAL 0 and COPY 2, both REFUND 1 (V-PFR §2).
    expect((await vpfr.signedSince(before)).map(({ invoiceNumber, invoiceType, transactionType }) => [invoiceNumber, invoiceType, transactionType])).toEqual([
      [json.refund.pfr.invoiceNumber, 0, 1],
      [json.cashRefundCopy.pfr.invoiceNumber, 2, 1]
    ])
    const original = (await api.get(`/v1/fiscal-documents/${refund.original.fiscalDocumentId}`)).json
    const referenceTo = ({ id, pfr }: ApiAnswer["json"]) => ({ fiscalDocumentId: id, pfrNumber: pfr.invoiceNumber, pfrTime: pfr.sdcTime })
    expect(json.original).toMatchObject({ source: "SVC", invoiceType: "NORMAL", transactionType: "SALE", ...referenceTo(original) })
    expect(json.refund.reference).toEqual(referenceTo(original))
    expect(json.cashRefundCopy.reference).toEqual(referenceTo(json.refund))
    expect(json.cashRefundCopy).toMatchObject({ buyerId: "20:123456789", pfr: { totalAmount: 2401, invoiceCounterExtension: "КР" } })
    expect(json.refund.pfr.journal).toContain("ПРОМЕТ РЕФУНДАЦИЈА")
    expect(json.cashRefundCopy.pfr.journal).toContain("КОПИЈА РЕФУНДАЦИЈА")
    expect(await paper(json.cashRefundCopy.id)).toContain("Потпис купца")
    expect(await paper(json.refund.id)).not.toContain("Потпис купца")
    expect(await refundable(refund.original.fiscalDocumentId)).toMatchObject({ quantity: 0, heldBy: [] })
  })

  it("[proves:OUTCOME_UNKNOWN] a lost answer to the refund: held, never sent again, found by the search, and the worker issues the copy", async () => {
    const refund = await body("CASH")
    const original = refund.original.fiscalDocumentId
    const key = newKey()
    const before = (await vpfr.receipts()).length
    await vpfr.fault({ fault: "sign-then-reset", times: 1 })
    await vpfr.fault({ fault: "search-unavailable" })
    const first = await api.post(path, refund, { key })
    expect([first.status, first.json.status, first.json.failureCode]).toEqual([503, "REFUND_OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"])
    const held = [{ workflowId: first.json.id, quantity: 2, amount: 2401 }]
    expect(await refundable(original)).toMatchObject({ quantity: 0, amount: 0, heldBy: held, item: null })
    const again = await api.post(path, refund, { key })
    expect([again.status, again.json.status]).toEqual([503, "REFUND_OUTCOME_UNKNOWN"])
    expect(refused(await api.post(path, refund))).toEqual([422, "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"])
    await vpfr.clearFaults()
    const done = await settled(first.json.id)
    expect(done.refund.id).toBe(first.json.refund.id)
    const signed = await vpfr.signedSince(before)
    expect(signed.map(({ invoiceNumber }) => invoiceNumber)).toEqual([done.refund.pfr.invoiceNumber, done.cashRefundCopy.pfr.invoiceNumber])
    expect(await refundable(original)).toMatchObject({ quantity: 0, heldBy: [] })
    const replay = await api.post(path, refund, { key })
    expect([replay.status, replay.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(replay.json).toEqual(done)
  }, 90_000)

  it("a lost answer to the copy: the refund is valid, the copy is found by the search, each signed once", async () => {
    const refund = await body("CASH")
    const key = newKey()
    const before = (await vpfr.receipts()).length
    await vpfr.faultOnSecond({ fault: "sign-then-reset" })
    const first = await api.post(path, refund, { key })
    expect([first.status, first.json.status, first.json.refund.fiscalized]).toEqual([503, "COPY_OUTCOME_UNKNOWN", true])
    const done = await settled(first.json.id)
    expect((await vpfr.signedSince(before)).map(({ invoiceNumber }) => invoiceNumber)).toEqual([
      done.refund.pfr.invoiceNumber,
      done.cashRefundCopy.pfr.invoiceNumber
    ])
    expect((await api.post(path, refund, { key })).status).toBe(200)
  }, 90_000)

  it("[proves:PFR_VALIDATION_REJECTED] a refund the V-PFR rejects: 422, FAILED, what it held is free", async () => {
    const refund = await body("CASH")
    await vpfr.fault({ fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] })
    const first = await api.post(path, refund)
    expect([first.status, first.json.status, first.json.failureCode]).toEqual([422, "FAILED", "PFR_VALIDATION_REJECTED"])
    expect(first.json.refund.pfrRejection.items[0].codes).toEqual(["2310"])
    expect((await api.post(path, refund)).status).toBe(201)
  })

  it("[proves:REFUND_CUMULATIVE_QUANTITY_EXCEEDED] thirty parallel partial refunds of one line give back what was sold and no more", async () => {
    const original = (await sell()).id
    const before = (await vpfr.receipts()).length
    const part = sampleRefund(api.target, original, { quantity: 0.25, amount: 300.13 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => api.post(path, part)))
    const accepted = answers.filter(({ status }) => status === 201).length
    // Seven of 300.13; the eighth is offered 300.13 too, but 300.09 is left.
    expect(accepted).toBe(7)
    expect(await refundable(original)).toMatchObject({ quantity: 0.25, amount: 300.09, heldBy: [] })
    expect((await api.post(path, sampleRefund(api.target, original, { quantity: 0.25, amount: 300.09 }))).status).toBe(201)
    expect(refused(await api.post(path, part))).toEqual([422, "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"])
    const cents = (await vpfr.signedSince(before)).reduce((sum, { totalAmount }) => sum + Math.round(totalAmount * 100), 0)
    expect(cents).toBe(240_100)
  }, 30_000)

  it("twelve twins under one key of the greatest length: one refund and one copy for everybody", async () => {
    const refund = await body("CASH")
    const key = "k".repeat(164) + randomUUID()
    const before = (await vpfr.receipts()).length
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.post(path, refund, { key })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 11 }, () => 200), 201])
    expect(new Set(answers.map(({ json }) => json.cashRefundCopy.pfr.invoiceNumber)).size).toBe(1)
    expect(answers[0]?.json.cashRefundCopy.idempotencyKey).toBe(`${key}:copy`)
    expect(await vpfr.signedSince(before)).toHaveLength(2)
  }, 30_000)

  it("[proves:IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST] [proves:IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT] a refund's key is a sale's no more, and its copy's key is nobody's", async () => {
    const refund = await body("CASH")
    const key = newKey()
    const done = (await api.post(path, refund, { key })).json
    const sale = await api.post("/v1/fiscal-documents", sampleSale(api.target), { key })
    expect(refused(sale)).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
    expect(sale.json.operationId).toBe(done.refund.id)
    const { production } = api.target
    const elsewhere = { ...refund, taxpayerId: production.taxpayerId, businessPremiseId: production.businessPremiseId }
    expect(refused(await api.post(path, elsewhere, { key, credential: production }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"])
    expect((await api.post("/v1/fiscal-documents", sampleSale(api.target), { key: `${key}:copy` })).status).toBe(201)
  })

  it("what the body alone decides is a problem: another ESIR's receipt, no buyer, an optional field", async () => {
    const refund = await body()
    const external = { source: "EXTERNAL", pfrNumber: "ABCD1234-ABCD1234-1", pfrTime: "2026-01-05T10:00:00+01:00", invoiceType: "NORMAL", transactionType: "SALE" }
    const answer = await api.post(path, { ...refund, original: external, buyer: { optionalField: "20:1" } })
    expect([answer.status, answer.json.status]).toEqual([422, 422])
    expect(Object.keys(answer.json.errors)).toEqual(expect.arrayContaining(["Original.Source", "Buyer.Id", "Buyer.OptionalField"]))
    expect(pointers(answer)).toEqual(expect.arrayContaining(["/original/source", "/buyer/id", "/buyer/optionalField"]))
  })

  it("[proves:REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE] every differing field of every line is named, with the pointer to it", async () => {
    const refund = await body()
    const [item] = refund.items
    const changed = [{ ...item, quantity: 1, unitPrice: 1200.49, gtin: "12345678" }, { ...item, quantity: 1, name: "Капа", unitOfMeasure: "ком" }]
    const answer = await api.post(path, { ...refund, items: changed })
    expect(refused(answer)).toEqual([422, "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"])
    expect(pointers(answer)).toEqual(["/items/0/unitPrice", "/items/0/gtin", "/items/1/name", "/items/1/unitOfMeasure"])
    expect(answer.json.details[0].message).toContain("1200.50")
  })

  it("[proves:REFUND_ORIGINAL_LINE_NOT_FOUND] [proves:REFUND_QUANTITY_EXCEEDS_ORIGINAL] the first failing kind refuses, with all its lines; items of one line count together", async () => {
    const refund = await body()
    const [item] = refund.items
    const lost = await api.post(path, { ...refund, items: [{ ...item, name: "Капа" }, { ...item, originalLineIndex: 1 }, { ...item, originalLineIndex: 2 }] })
    expect(refused(lost)).toEqual([422, "REFUND_ORIGINAL_LINE_NOT_FOUND"])
    expect(pointers(lost)).toEqual(["/items/1/originalLineIndex", "/items/2/originalLineIndex"])
    const twice = await api.post(path, { ...refund, items: [{ ...item, quantity: 1.5 }, { ...item, quantity: 0.501 }] })
    expect(refused(twice)).toEqual([422, "REFUND_QUANTITY_EXCEEDS_ORIGINAL"])
    expect(twice.json.details).toMatchObject([{ pointer: "/items/0/quantity", originalLineIndex: 0, quantity: 2.001, quantityOriginal: 2, quantityRefundable: 2 }])
    const apart = { ...refund, items: [{ ...item, quantity: 1.5 }, { ...item, quantity: 0.5 }], payments: [{ type: "CARD", amount: 2401 }] }
    expect((await api.post(path, apart)).status).toBe(201)
  })

  it("[proves:REFERENCE_DOCUMENT_NOT_FOUND] [proves:REFUND_WORKFLOW_NOT_FOUND] another organization's receipts and workflows are not there", async () => {
    const refund = await body()
    const { other } = api.target
    const theirs = { ...refund, taxpayerId: other.taxpayerId, businessPremiseId: other.businessPremiseId }
    expect(refused(await api.post(path, theirs, { credential: other }))).toEqual([422, "REFERENCE_DOCUMENT_NOT_FOUND"])
    const done = (await api.post(path, refund)).json
    expect(refused(await api.get(`${path}/${done.id}`, other))).toEqual([404, "REFUND_WORKFLOW_NOT_FOUND"])
    expect(refused(await api.get(`${path}/${done.id}`, api.target.production))).toEqual([404, "REFUND_WORKFLOW_NOT_FOUND"])
    expect(refused(await api.get(`/v1/fiscal-documents/${refund.original.fiscalDocumentId}/refundable`, other))).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
  })

  it("[proves:COPY_SOURCE_NOT_COPYABLE] [proves:FISCAL_DOCUMENT_NOT_FOUND] sales and refunds are copied, as often as asked; a copy is not", async () => {
    const done = (await api.post(path, await body("CASH"))).json
    const ofSale = await copy(done.original.fiscalDocumentId)
    expect(ofSale.json).toMatchObject({ invoiceType: "COPY", transactionType: "SALE", fiscalized: true, pfr: { totalAmount: 2401, invoiceCounterExtension: "КП" } })
    const key = newKey()
    const ofRefund = await copy(done.refund.id, key)
    expect(ofRefund.json).toMatchObject({ transactionType: "REFUND", reference: { fiscalDocumentId: done.refund.id }, buyerId: "20:123456789" })
    const replay = await copy(done.refund.id, key)
    expect([replay.status, replay.json.id]).toEqual([200, ofRefund.json.id])
    expect((await copy(done.refund.id)).status).toBe(201)
    expect((await api.get(`${path}/${done.id}`)).json.cashRefundCopy.id).toBe(done.cashRefundCopy.id)
    for (const id of [ofSale.json.id, done.cashRefundCopy.id]) expect(refused(await copy(id))).toEqual([422, "COPY_SOURCE_NOT_COPYABLE"])
    expect(refused(await copy(randomUUID()))).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
  })

  it("a copy is issued without the optional field its sale carried", async () => {
    const sale = await sell({ buyer: { id: "20:123456789", optionalField: "20:SNPDV-1" } })
    expect(sale.pfr.journal).toContain("SNPDV-1")
    const { json } = await copy(sale.id)
    expect(json.buyerId).toBe("20:123456789")
    expect(json.pfr.journal).not.toContain("SNPDV-1")
  })

  it.each(["ABCD1234-ABCD1234-15", "XXXXXXXX-XXXXXXXX-7", "ABCD1234-IB123456-44"])("another ESIR's document %s is copied, sale and refund", async (pfrNumber) => {
    for (const transactionType of ["SALE", "REFUND"]) {
      const reference = { source: "EXTERNAL", pfrNumber, pfrTime: "2026-01-05T10:00:00Z", invoiceType: "ADVANCE", transactionType }
      const answer = await api.post("/v1/fiscal-documents", {
        ...sampleSale(api.target),
        invoiceType: "COPY",
        transactionType,
        buyer: { id: "20:123456789" },
        reference
      })
      expect([answer.status, answer.json.invoiceType]).toEqual([201, "COPY"])
      expect(answer.json.reference).toEqual({ pfrNumber, pfrTime: "2026-01-05T11:00:00+01:00" })
      expect(refused(await copy(answer.json.id))).toEqual([422, "COPY_SOURCE_NOT_COPYABLE"])
    }
  })

  it("[proves:REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED] references belong to copies: a sale takes none, and a copy's must be of its own kind", async () => {
    const reference = { source: "EXTERNAL", pfrNumber: "ABCD1234-ABCD1234-15", pfrTime: "2026-01-05T10:00:00Z", invoiceType: "NORMAL", transactionType: "SALE" }
    expect(refused(await api.post("/v1/fiscal-documents", { ...sampleSale(api.target), reference }))).toEqual([422, "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"])
    const copyOf = (change: object) => api.post("/v1/fiscal-documents", { ...sampleSale(api.target), invoiceType: "COPY", ...change })
    expect(Object.keys((await copyOf({ reference: { ...reference, transactionType: "REFUND" } })).json.errors)).toEqual(["Reference.TransactionType"])
    expect(Object.keys((await copyOf({ reference: { ...reference, invoiceType: "COPY" } })).json.errors)).toEqual(["Reference.InvoiceType"])
    expect(Object.keys((await copyOf({ reference: { ...reference, pfrNumber: "15" } })).json.errors)).toEqual(["Reference.PfrNumber"])
    const ours = await copyOf({ reference: { source: "SVC", fiscalDocumentId: randomUUID() } })
    expect(ours.json.errors.InvoiceType[0]).toContain("/copies")
  })

  it("what can be refunded of a refund or a copy is nothing", async () => {
    const done = (await api.post(path, await body("CASH"))).json
    for (const id of [done.refund.id, done.cashRefundCopy.id]) {
      expect((await api.get(`/v1/fiscal-documents/${id}/refundable`)).json).toEqual({ fiscalDocumentId: id, lines: [] })
    }
  })

  // Last, because it changes the labels permanently.
  it("[proves:TAX_LABEL_NOT_CURRENT] a label withdrawn since stops sales, and neither refunds nor copies of the sale: they carry the tax of its time", async () => {
    const refund = await body()
    const cash = await body("CASH")
    const sale = (await api.get(`/v1/fiscal-documents/${refund.original.fiscalDocumentId}`)).json
    await vpfr.onlyLabel("sandbox", "Q", 5)
    // The V-PFR's own rejection makes the service fetch the labels again.
    await expect.poll(async () => (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.code, polling).toBe("TAX_LABEL_NOT_CURRENT")
    const refunded = await api.post(path, refund)
    const copied = await copy(sale.id)
    expect([refunded.status, refunded.json.status, copied.status]).toEqual([201, "COMPLETED", 201])
    for (const { pfr } of [refunded.json.refund, copied.json]) expect(pfr.totalTax).toBe(sale.pfr.totalTax)
    // A refund's copy is taxed at the refund's time (V-PFR §2), at which the label no longer exists: the refund is valid nevertheless.
    const pending = await api.post(path, cash)
    expect([pending.json.status, pending.json.failureCode, pending.json.refund.fiscalized]).toEqual(["COPY_PENDING", "PFR_VALIDATION_REJECTED", true])
  }, 60_000)
})
