import { createPublicKey } from "node:crypto"
import jsQR from "jsqr"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { signatureVerifies } from "../src/receipts/signature.ts"
import { decodeVerificationLink } from "../src/receipts/verificationLink.ts"
import { readGif } from "./support/readGif.ts"
import { bakery, refund, sale } from "./support/requests.ts"
import type { Json } from "./support/Json.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

let simulator: RunningSimulator
let element: Element
let client: VpfrClient

beforeAll(async () => {
  simulator = await startSimulator()
  element = await simulator.issueElement(bakery)
  client = new VpfrClient(simulator, element)
})
afterAll(async () => {
  client.close()
  await simulator.stop()
})

const control = async (path: string) => (await fetch(simulator.controlUrl + path)).json() as Promise<Json>

describe("A signed receipt (V-PFR §3)", () => {
  it("has every field, filled from the certificate and the request", async () => {
    const { json, status, text } = await client.submit(sale)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual([
      "requestedBy", "sdcDateTime", "invoiceCounter", "invoiceCounterExtension", "invoiceNumber", "taxItems", "verificationUrl",
      "verificationQRCode", "journal", "messages", "signedBy", "encryptedInternalData", "signature", "totalCounter",
      "transactionTypeCounter", "totalAmount", "taxGroupRevision", "businessName", "tin", "locationName", "address", "district", "mrc"
    ])
    expect(json).toMatchObject({
      requestedBy: element.jid,
      sdcDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,7}\+0[12]:00$/),
      invoiceCounterExtension: "ПП",
      invoiceNumber: `${element.jid}-${json.signedBy}-${json.totalCounter}`,
      invoiceCounter: `${json.transactionTypeCounter}/${json.totalCounter}ПП`,
      taxItems: [{ categoryType: 0, label: "A", amount: 5.6527, rate: 9, categoryName: "VAT" }],
      verificationQRCode: null,
      messages: "Успешно",
      signedBy: expect.stringMatching(/^[A-Za-z0-9]{6}[Oo]0$/),
      totalAmount: 68.46,
      taxGroupRevision: 8,
      businessName: "СИМУЛАТОР Пекара Зора",
      tin: "RS111911206",
      locationName: "1108934-Пекара Зора",
      address: "Булевар ослобођења 1",
      district: "Нови Сад-Центар"
    })
    expect(text).toContain("\"rate\":9.00")
    expect(json.journal).toContain("СИМУЛАТОР Пекара Зора")
    expect(json.journal.endsWith("РАЧУНА =========\r\n")).toBe(true)
    expect(Buffer.from(json.signature, "base64")).toHaveLength(256)
    expect(Buffer.from(json.encryptedInternalData, "base64")).toHaveLength(256)
  })

  it("carries a link and a signature that verify with the published signer key", async () => {
    const { json } = await client.submit({ ...refund, buyerId: "10:111111111" })
    const link = decodeVerificationLink(decodeURIComponent(json.verificationUrl.split("vl=")[1]))
    expect(json.verificationUrl.startsWith(simulator.sandbox.verificationUrl)).toBe(true)
    expect(link).toMatchObject({
      requestedBy: element.jid,
      signedBy: json.signedBy,
      totalCounter: json.totalCounter,
      transactionTypeCounter: json.transactionTypeCounter,
      totalAmount: 684600n,
      time: Date.parse(json.sdcDateTime),
      invoiceType: "Normal",
      transactionType: "Refund",
      buyerId: "10:111111111"
    })
    const signer = (await control("/signers")).sandbox.find((candidate: Json) => candidate.uid === json.signedBy)
    const n = Buffer.from(signer.modulusHex, "hex").toString("base64url")
    const key = createPublicKey({ format: "jwk", key: { kty: "RSA", e: "AQAB", n } })
    expect(createPublicKey(signer.publicKeyPem).equals(key)).toBe(true)
    expect(link !== null && signatureVerifies("RS111911206", link, Buffer.from(json.signature, "base64"), key)).toBe(true)
  })

  it("has a GIF of the link's QR code, four pixels a module and no quiet zone", async () => {
    const { json } = await client.submit({ ...sale, options: { omitQRCodeGen: "0" } })
    const gif = readGif(Buffer.from(json.verificationQRCode, "base64"))
    // A signature's `+` and `/` take three characters each in the link, so its length differs from receipt to receipt.
    const width = json.verificationUrl.length <= 858 ? 388 : 404
    expect([gif.width, gif.height]).toEqual([width, width])
    const border = 16
    const size = gif.width + 2 * border
    const rgba = new Uint8ClampedArray(size * size * 4).fill(255)
    for (let at = 0; at < gif.pixels.length; at++) {
      const target = ((Math.floor(at / gif.width) + border) * size + (at % gif.width) + border) * 4
      if (gif.pixels[at] === 1) rgba.fill(0, target, target + 3)
    }
    expect(jsQR.default(rgba, size, size)?.data).toBe(json.verificationUrl)
  })

  it("leaves out what the options say", async () => {
    const { json } = await client.submit({ ...sale, options: { OmitQRCodeGen: "1", omitTextualRepresentation: "1" } })
    expect([json.verificationQRCode, json.journal]).toEqual([null, null])
  })

  it("speaks the first supported language asked for, and 406 where there is none", async () => {
    const inLanguage = (language: string) => client.submit(sale, undefined, { "Accept-Language": language })
    const english = await inLanguage("de-DE;en-US")
    expect(english.json).toMatchObject({ invoiceCounterExtension: "NS", messages: "Success" })
    expect(english.json.journal).toContain("FISCAL INVOICE")
    expect((await inLanguage("sr-Cyrl-RS, en-US;q=0.8")).json.invoiceCounterExtension).toBe("ПП")
    expect((await inLanguage("de-DE")).status).toBe(406)
  })

  it("taxes copies and refunds by the rates of the document they refer to", async () => {
    // Group 1 had 10 % for F until 22 July 2021; 11 % since.
    const item = { name: "x", quantity: 1, unitPrice: 110, labels: ["F"], totalAmount: 110 }
    const old = { ...refund, payment: [{ amount: 110, paymentType: 1 }], items: [item], referentDocumentDT: "2021-07-20T12:00:00+02:00" }
    const { json } = await client.submit(old)
    expect([json.taxGroupRevision, json.taxItems[0].amount, json.taxItems[0].rate]).toEqual([1, 10, 10])
    // Ж exists since group 5 only.
    const unknown = await client.submit({ ...old, items: [{ ...item, labels: ["Ж"] }] })
    expect(unknown.json.modelState).toEqual([{ property: "items[0].labels[0]", errors: ["2310"] }])
  })
})

describe("Counters (V-PFR §3)", () => {
  it("run per element and signer, and per type and transaction within", async () => {
    const own = await simulator.issueElement(bakery)
    const other = new VpfrClient(simulator, own)
    const bodies = [sale, refund, { ...sale, invoiceType: 3 }, sale, { ...sale, invoiceType: 3 }, refund, sale, sale, sale, sale, refund, sale]
    const totals = new Map<string, number>()
    const kinds = new Map<string, number>()
    for (const body of bodies) {
      const { json } = await other.submit(body)
      const kind = `${json.signedBy} ${body.invoiceType} ${body.transactionType}`
      totals.set(json.signedBy, (totals.get(json.signedBy) ?? 0) + 1)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      expect([json.totalCounter, json.transactionTypeCounter]).toEqual([totals.get(json.signedBy), kinds.get(kind)])
    }
    expect(totals.size).toBe(3)
    other.close()
  })

  it("never hand out a number twice to concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.submit(sale)))
    expect(new Set(answers.map(({ json }) => json.invoiceNumber)).size).toBe(40)
  })
})

describe("Recovery by RequestId (V-PFR §1.6)", () => {
  it("finds the answer digit for digit", async () => {
    const submitted = await client.submit(sale, "0123456789abcdef0123456789abcdef")
    expect((await client.search("0123456789abcdef0123456789abcdef")).text).toBe(submitted.text)
  })

  it("signs a repeated request a second time, counts two and finds the last", async () => {
    const first = await client.submit(sale, "twice")
    const second = await client.submit(sale, "twice")
    expect(first.json.invoiceNumber).not.toBe(second.json.invoiceNumber)
    const { count, receipts } = await control("/receipts?requestId=twice")
    expect(count).toBe(2)
    expect(receipts.map((receipt: Json) => receipt.invoiceNumber)).toEqual([second.json.invoiceNumber, first.json.invoiceNumber])
    expect(receipts[0]).toMatchObject({ requestId: "twice", invoiceType: 0, transactionType: 0, totalAmount: 68.46, signedAt: second.json.sdcDateTime })
    expect((await client.search("twice")).json.invoiceNumber).toBe(second.json.invoiceNumber)
  })

  it("keeps elements apart", async () => {
    const stranger = new VpfrClient(simulator, await simulator.issueElement({ ...bakery, sameKeyAs: element.jid }))
    await client.submit(sale, "mine")
    expect((await stranger.search("mine")).text).toBe("null")
    stranger.close()
  })

  it.each([
    ["200-null", 200, "null"],
    ["200-empty", 200, ""],
    ["204", 204, ""],
    ["404", 404, expect.stringContaining("No invoice")]
  ])("answers an unknown one as %s", async (notFoundForm, status, text) => {
    await fetch(`${simulator.controlUrl}/settings`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ notFoundForm }) })
    expect(await client.search("unknown")).toMatchObject({ status, text })
  })

  it("signs nothing for a request it refuses", async () => {
    expect((await client.submit({ ...sale, items: [] }, "refused")).status).toBe(400)
    expect((await control("/receipts?requestId=refused")).count).toBe(0)
  })
})

describe("The coming rate change", () => {
  it("takes effect at Belgrade midnight, without a restart", async () => {
    let now = Date.parse("2026-11-21T12:00:00Z")
    const future = await startSimulator({ now: () => now })
    const production = await future.issueElement({ ...bakery, environment: "production", notAfter: Date.parse("2030-01-01T00:00:00Z") })
    const buyer = new VpfrClient(future, production)
    const item = { name: "Хлеб/kom", quantity: 1, unitPrice: 110.5, labels: ["Е"], totalAmount: 110.5 }
    const rateNow = async () => {
      const { json } = await buyer.submit({ ...sale, items: [item] })
      return [json.taxGroupRevision, json.taxItems[0].rate, json.sdcDateTime.slice(0, 16)]
    }
    now = Date.parse("2027-12-31T22:59:59Z")
    expect(await rateNow()).toEqual([3, 10, "2027-12-31T23:59"])
    now += 1000
    expect(await rateNow()).toEqual([4, 10.5, "2028-01-01T00:00"])
    expect((await buyer.call("GET", "/api/v3/status")).json.currentTaxRates.groupId).toBe(4)
    buyer.close()
    await future.stop()
  })
})

describe("The public check (V-PFR §7.2)", () => {
  const check = (url: string, accept: string) => fetch(url, { headers: { accept } })

  it("answers JSON for a receipt on record", async () => {
    const { json } = await client.submit({ ...refund, payment: [{ amount: 68.46, paymentType: "Card" }] })
    const answer: Json = await (await check(json.verificationUrl, "application/json")).json()
    expect(answer.isValid).toBe(true)
    expect(answer.journal).toBe(json.journal.slice(0, -2))
    expect(answer.invoiceRequest).toEqual({
      posTime: null,
      taxId: "RS111911206",
      businessName: "СИМУЛАТОР Пекара Зора",
      locationName: "1108934-Пекара Зора",
      address: "Булевар ослобођења 1",
      city: "Нови Сад",
      administrativeUnit: "Нови Сад-Центар",
      buyer: null,
      buyerCostCenter: null,
      cashier: "123456789",
      requestedBy: element.jid,
      referentDocumentNumber: "Y9ANWU3Y-Y9ANWU3Y-7",
      invoiceType: 0,
      transactionType: 1,
      payments: [{ paymentType: 2, amount: 68.46 }]
    })
    expect(answer.invoiceResult).toEqual({
      totalAmount: 68.46,
      transactionTypeCounter: json.transactionTypeCounter,
      totalCounter: json.totalCounter,
      invoiceCounterExtension: "ПР",
      invoiceNumber: json.invoiceNumber,
      signedBy: json.signedBy,
      sdcTime: new Date(json.sdcDateTime).toISOString().replace(/\.?0+Z$/, "Z")
    })
  })

  it("shows people a page that says simulator", async () => {
    const { json } = await client.submit({ ...sale, cashier: "<script>" })
    const response = await check(json.verificationUrl, "text/html")
    const page = await response.text()
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page).toContain("СИМУЛАТОР Пекара Зора")
    expect(page).toContain("Рачун је проверен")
    expect(page).toContain("&#60;script&#62;")
  })

  it("shows people the buyer's row only where there is a buyer, and an icon of its own without another file", async () => {
    const pageOf = async (submission: object) => (await check((await client.submit(submission)).json.verificationUrl, "text/html")).text()
    const [without, withBuyer] = [await pageOf(sale), await pageOf({ ...sale, buyerId: "10:111111111" })]
    expect(without).not.toContain("<td>ИД купца</td>")
    expect(without).not.toContain("<td></td>")
    expect(withBuyer).toContain("<td>ИД купца</td><td>10:111111111</td>")
    expect(without).toMatch(/<link rel="icon" href="data:image\/svg\+xml,/)
  })

  it("lists the items to whoever holds the link", async () => {
    const item = { gtin: "12345678", name: "Хлеб/kom", quantity: 1.5, unitPrice: 100, labels: ["A"], totalAmount: 150 }
    const { json } = await client.submit({ ...sale, items: [item] })
    const page = await (await check(json.verificationUrl, "text/html")).text()
    const token = /viewModel\.Token\('([0-9a-f]+)'\)/.exec(page)?.[1] ?? ""
    const address = json.verificationUrl.replace(/\/v\/.*/, "/specifications")
    const ask = async (body: URLSearchParams) => (await fetch(address, { method: "POST", body })).json()
    expect(page).toContain(`viewModel.InvoiceNumber('${json.invoiceNumber}')`)
    expect(await ask(new URLSearchParams({ invoiceNumber: json.invoiceNumber, token }))).toEqual({
      success: true,
      items: [{
        gtin: "12345678",
        name: "Хлеб/kom",
        quantity: 1.5,
        total: 150,
        unitPrice: 100,
        label: "A",
        labelRate: 9,
        taxBaseAmount: 137.61,
        vatAmount: 12.39
      }]
    })
    expect(await ask(new URLSearchParams({ invoiceNumber: json.invoiceNumber, token: "x" }))).toEqual({ success: false, items: [] })
  })

  it("refuses a link that was tampered with, or belongs to the other environment", async () => {
    const { json } = await client.submit(sale)
    const [root, vl] = json.verificationUrl.split("vl=")
    const damaged = `${root}vl=${vl.slice(0, 40)}${vl[40] === "A" ? "B" : "A"}${vl.slice(41)}`
    const elsewhere = simulator.production.verificationUrl + vl
    for (const url of [damaged, elsewhere, `${root}vl=`, `${root}vl=%`]) {
      expect(((await (await check(url, "application/json")).json()) as Json).isValid).toBe(false)
      expect(await (await check(url, "text/html")).text()).not.toContain("Рачун је проверен")
    }
    expect(simulator.production.verificationUrl).not.toBe(simulator.sandbox.verificationUrl)
  })
})
