import { randomUUID } from "node:crypto"
import { formatDecimal, readJournal } from "@overa/domain"
import { Result } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bookSale, type ShopAnswer, type ShopCaller, shopCaller } from "../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

const buyer = { id: "20:123456789" }
const cashier = { id: "web" }
const newRates = [{ name: "VAT", categoryType: 0, taxRates: [{ label: "A", rate: 12 }, { label: "Q", rate: 5 }] }]

// The rate of label A changes from 9 to 12, label F is withdrawn, and label Q is new, while documents of every kind are open.
describe("a change of rates that the tax authority has announced", () => {
  let installation: WholeInstallation
  let call: ShopCaller
  const before: Record<"sale" | "withdrawn" | "proforma" | "case" | "mixed", ShopAnswer["json"]> = { sale: null, withdrawn: null, proforma: null, case: null, mixed: null }
  const post = (path: string, body: unknown) => call("POST", path, { "Idempotency-Key": `rates-${randomUUID()}` }, body)
  const saleOf = (label: string) => {
    const sale = bookSale(installation.shop, "rates", 1090)
    return { ...sale, items: [{ ...sale.items[0], taxLabels: [label] }] }
  }
  const place = () => ({ taxpayerId: installation.shop.taxpayerId, businessPremiseId: installation.shop.businessPremiseId })
  const currentRates = async () => (await call("GET", `/v1/tax-rates?${new URLSearchParams(place())}`)).json.labels as ReadonlyArray<{ readonly label: string; readonly rate: number }>
  /** The taxes that a receipt prints: label, rate, amount. */
  const taxesOf = (document: ShopAnswer["json"]) =>
    Result.getOrThrow(readJournal(document.pfr.journal)).taxes.map(({ amount, label, rate }) => `${label} ${formatDecimal(rate)} ${formatDecimal(amount, 2)}`)
  const pay = (of: ShopAnswer["json"], label: string) =>
    post(`/v1/advance-cases/${of.id}/payments`, { cashier, items: [{ name: `10: Аванс (${label})`, quantity: 1, unitPrice: 1090, taxLabels: [label] }], payments: [{ type: "CARD", amount: 1090 }] })
  const refundOf = (document: ShopAnswer["json"], label: string) =>
    post("/v1/refund-workflows", {
      ...place(), clientReference: "rates", original: { source: "SVC", fiscalDocumentId: document.id }, cashier, buyer,
      items: [{ ...saleOf(label).items[0], originalLineIndex: 0 }], payments: [{ type: "CARD", amount: 1090 }]
    })

  beforeAll(async () => {
    installation = await wholeInstallation()
    call = await shopCaller(installation)
    // Announced before the service asks for rates, so that it knows when they change; far enough ahead for the documents of the old rates.
    const order = { environment: "sandbox", validFrom: new Date(Date.now() + 15_000).toISOString(), taxCategories: newRates }
    const announced = await fetch(`${installation.desk.simulator.controlUrl}/tax-rates`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) })
    expect(announced.ok).toBe(true)
    before.sale = (await post("/v1/fiscal-documents", saleOf("A"))).json
    before.withdrawn = (await post("/v1/fiscal-documents", saleOf("F"))).json
    before.proforma = (await post("/v1/proforma-training-workflows", { ...saleOf("A"), invoiceType: "PROFORMA" })).json
    before.case = (await post("/v1/advance-cases", { ...place(), clientReference: "rates", buyer })).json
    await pay(before.case, "A")
    before.mixed = (await post("/v1/advance-cases", { ...place(), clientReference: "rates", buyer })).json
    await pay(before.mixed, "F")
    expect(await post("/v1/fiscal-documents", saleOf("Q"))).toMatchObject({ status: 422, json: { code: "TAX_LABEL_NOT_CURRENT", invalidLabels: ["Q"] } })
    while ((await currentRates()).every(({ label }) => label !== "Q")) await pause(200)
  }, 120_000)
  afterAll(() => installation.close())

  it("a sale has the new rate, and a withdrawn label is refused before anything is sent", async () => {
    expect(await currentRates()).toMatchObject([{ label: "A", rate: 12 }, { label: "Q", rate: 5 }])
    expect(taxesOf(before.sale)).toEqual(["A 9 90.00"])
    expect(taxesOf((await post("/v1/fiscal-documents", saleOf("A"))).json)).toEqual(["A 12 116.79"])
    expect(await post("/v1/fiscal-documents", saleOf("F"))).toMatchObject({ status: 422, json: { code: "TAX_LABEL_NOT_CURRENT", invalidLabels: ["F"] } })
  })

  it("a label that nobody had before is taken at once, and its rate is printed", async () => {
    expect(taxesOf((await post("/v1/fiscal-documents", saleOf("Q"))).json)).toEqual(["Q 5 51.90"])
  })

  it("refunds and copies of what was signed before have its rates, also where its label is withdrawn", async () => {
    const copy = await post(`/v1/fiscal-documents/${before.sale.id}/copies`, { cashier })
    expect(taxesOf(copy.json)).toEqual(["A 9 90.00"])
    expect(taxesOf((await refundOf(before.sale, "A")).json.refund)).toEqual(["A 9 90.00"])
    expect(taxesOf((await refundOf(before.withdrawn, "F")).json.refund)).toEqual(taxesOf(before.withdrawn))
  })

  it("a proforma made before is given back by its own rates", async () => {
    const { document } = before.proforma
    const refund = await post("/v1/proforma-training-workflows", { ...saleOf("A"), invoiceType: "PROFORMA", transactionType: "REFUND", buyer, reference: { source: "SVC", fiscalDocumentId: document.id } })
    expect(taxesOf(refund.json.document)).toEqual(["A 9 90.00"])
  })

  it("a sale that names the proforma has the new rate: what it refers to does not decide a sale's tax", async () => {
    const because = ["--reason", "asked for by the tax authority", "--json"]
    const named = { ...saleOf("A"), reference: { source: "SVC", fiscalDocumentId: before.proforma.document.id } }
    expect(await post("/v1/fiscal-documents", named)).toMatchObject({ status: 422, json: { code: "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED", allowed: [] } })
    expect((await installation.desk.admin(["environment", "set", "sandbox", "--proforma-references", "on", ...because])).err).toBe("")
    // Settings are read again every two seconds.
    let sale = await post("/v1/fiscal-documents", named)
    while (sale.status === 422 && sale.json.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED") sale = await post("/v1/fiscal-documents", named)
    expect(sale).toMatchObject({ status: 201, json: { reference: { fiscalDocumentId: before.proforma.document.id, pfrNumber: before.proforma.document.pfr.invoiceNumber } } })
    expect(taxesOf(sale.json)).toEqual(["A 12 116.79"])
    expect(sale.json.pfr.journal).toContain(before.proforma.document.pfr.invoiceNumber)
  })

  it("an open advance is refunded by the old rate, and the final sale has the new one", async () => {
    const { json } = await post(`/v1/advance-cases/${before.case.id}/closing`, { cashier, items: [{ ...saleOf("A").items[0], unitPrice: 2240 }], remainingPayments: [{ type: "CARD", amount: 1150 }] })
    expect(json.state).toBe("CLOSED")
    expect(taxesOf(json.advanceRefund)).toEqual(["A 9 90.00"])
    expect(taxesOf(json.finalSale)).toEqual(["A 12 240.00"])
  })

  it("advances of both configurations cannot be given back by one refund: the closing says so before anything is sent, and how it can be closed", async () => {
    const { id } = before.mixed
    const closing = (advances: number) => ({ cashier, items: [{ ...saleOf("A").items[0], unitPrice: 2180 }], remainingPayments: [{ type: "CARD", amount: 2180 - advances }] })
    const paid = await pay(before.mixed, "A")
    expect(paid.json.state).toBe("OPEN")
    expect(await post(`/v1/advance-cases/${id}/closing`, closing(2180))).toMatchObject({ status: 422, json: { code: "TAX_LABEL_NOT_CURRENT", invalidLabels: ["F"], message: expect.stringContaining("Cancel the latest advance") } })
    expect((await call("GET", `/v1/advance-cases/${id}`)).json).toMatchObject({ state: "OPEN", advanceRefund: null, finalSale: null })
    const cancelled = await post(`/v1/advance-cases/${id}/cancellations`, { advanceSaleId: paid.json.current.id, cashier, buyer })
    expect([cancelled.status, cancelled.json.current.status]).toEqual([201, "FISCALIZED"])
    const { json } = await post(`/v1/advance-cases/${id}/closing`, closing(1090))
    expect(json.state).toBe("CLOSED")
    expect(taxesOf(json.advanceRefund)).toEqual(taxesOf(json.advanceSales[0]))
    expect(taxesOf(json.finalSale)).toEqual(["A 12 233.57"])
  })

  it("nothing of it needs a person: what we compute is what was signed", async () => {
    const client = await installation.desk.database.client()
    expect((await client.query("select kind, detail from attention")).rows).toEqual([])
  })
})
