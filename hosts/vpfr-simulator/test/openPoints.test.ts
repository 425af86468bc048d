import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { decodeVerificationLink } from "../src/receipts/verificationLink.ts"
import { parseForm } from "../src/protocol/FormDocument.ts"
import { JsonNumber } from "../src/protocol/JsonDocument.ts"
import type { Json } from "./support/Json.ts"
import { bakery, sale } from "./support/requests.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

// Unknown properties of the real V-PFR can be switched; each value is tried here.

let simulator: RunningSimulator
let client: VpfrClient
let shop: Element

beforeAll(async () => {
  simulator = await startSimulator()
  shop = await simulator.issueElement({ ...bakery, environment: "production" })
  client = new VpfrClient(simulator, shop)
})
afterAll(async () => {
  client.close()
  await simulator.stop()
})

const set = (settings: object) =>
  fetch(`${simulator.controlUrl}/settings`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(settings) })

afterEach(async () => {
  await set({ labelOrder: "first-use", internalDataBytes: 256, paymentDecimals: 2 })
})

const line = (name: string, label: string, total: number) => ({ name, quantity: 1, unitPrice: total, labels: [label], totalAmount: total })
const groceries = {
  ...sale,
  payment: [{ amount: 1000, paymentType: 1 }],
  items: [line("JABUKA", "Е", 127.91), line("KESA", "Ђ", 12.99), line("BANANA", "Е", 296.39)]
}

const printedLabels = (journal: string): ReadonlyArray<string> =>
  journal.split("\r\n").filter((text) => /^[ЂЕ] .*%/.test(text)).map((text) => text.slice(0, 1))

const linkOf = (answer: Json) => decodeVerificationLink(decodeURIComponent(String(answer.verificationUrl).split("vl=")[1] ?? ""))

describe("The order of labels", () => {
  it("is that of their first item, so Е stands before Ђ as on the published receipts (V-PFR §6.3, §8.8 B)", async () => {
    const { json } = await client.submit(groceries)
    expect(json.taxItems.map(({ label }: Json) => label)).toEqual(["Е", "Ђ"])
    expect(printedLabels(json.journal)).toEqual(["Е", "Ђ"])
  })

  it("is that of their code points where that is set", async () => {
    await set({ labelOrder: "code-point" })
    const { json } = await client.submit(groceries)
    expect(json.taxItems.map(({ label }: Json) => label)).toEqual(["Ђ", "Е"])
    expect(printedLabels(json.journal)).toEqual(["Ђ", "Е"])
  })
})

describe("Internal data", () => {
  it.each([256, 512])("of %i bytes is signed, put into the link, and verifies", async (internalDataBytes) => {
    await set({ internalDataBytes })
    const { json } = await client.submit(groceries)
    expect(Buffer.from(json.encryptedInternalData, "base64")).toHaveLength(internalDataBytes)
    expect(linkOf(json)?.encryptedInternalData).toHaveLength(internalDataBytes)
    const checked = await (await fetch(json.verificationUrl, { headers: { accept: "application/json" } })).json() as Json
    expect(checked.isValid).toBe(true)
  })
})

describe("Decimals of payments", () => {
  const paying = (amount: number) => ({ ...groceries, payment: [{ amount, paymentType: 1 }] })

  it("are two: a third is refused with 2804 (Decisions §9)", async () => {
    const { json, status } = await client.submit(paying(437.291))
    expect([status, json.modelState]).toEqual([400, [{ property: "payment[0].amount", errors: ["2804"] }]])
  })

  it("are four where that is set; printed is the rounded amount", async () => {
    await set({ paymentDecimals: 4 })
    const { json, status } = await client.submit(paying(437.2951))
    expect(status).toBe(200)
    expect(json.journal).toMatch(/^Готовина: +437,30\r$/m)
    expect((await client.submit(paying(437.29515))).json.modelState).toEqual([{ property: "payment[0].amount", errors: ["2804"] }])
    const checked = await (await fetch(json.verificationUrl, { headers: { accept: "application/json" } })).json() as Json
    expect(checked.invoiceRequest.payments).toEqual([{ paymentType: 1, amount: 437.2951 }])
  })
})

describe("A form-encoded submission (V-PFR §1.1)", () => {
  const fields: ReadonlyArray<readonly [string, string]> = [
    ["invoiceType", "0"], ["transactionType", "Sale"], ["cashier", "Ана"], ["invoiceNumber", "157/1.0"], ["options.omitQRCodeGen", "1"],
    ["payment[0].amount", "68.46"], ["payment[0].paymentType", "1"],
    ["items[0].name", "Sport-100 Helmet, Blue"], ["items[0].quantity", "2"], ["items[0][unitPrice]", "34.23"], ["items[0].labels", "Ђ"], ["items[0].totalAmount", "68.46"]
  ]
  const submit = (form: ReadonlyArray<readonly [string, string]>) =>
    client.submit(new URLSearchParams(form.map(([name, value]) => [name, value])).toString(), undefined, { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" })

  it("is signed like the same submission in JSON", async () => {
    const form = await submit(fields)
    const json = await client.submit({ ...sale, cashier: "Ана", items: [{ ...sale.items[0], labels: ["Ђ"] }] })
    expect(form.status).toBe(200)
    const facts = ({ taxItems, totalAmount, verificationQRCode }: Json) => ({ taxItems, totalAmount, verificationQRCode })
    expect(facts(form.json)).toEqual(facts(json.json))
    const withoutEnding = (journal: string) => journal.split("ПФР време")[0]
    expect(withoutEnding(form.json.journal)).toBe(withoutEnding(json.json.journal))
    const checked = await (await fetch(form.json.verificationUrl, { headers: { accept: "application/json" } })).json() as Json
    expect(checked).toMatchObject({ isValid: true, invoiceRequest: { payments: [{ paymentType: 1, amount: 68.46 }] } })
  })

  it("has its faults by the same names and codes", async () => {
    const { json, status } = await submit([...fields.filter(([name]) => !/quantity|cashier/.test(name)), ["cashier", ""], ["items[0].quantity", "1,5"]])
    expect(status).toBe(400)
    expect(json.modelState).toHaveLength(2)
    expect(json.modelState).toContainEqual({ property: "items[0].quantity", errors: ["2806"] })
    expect(json.modelState).toContainEqual({ property: "cashier", errors: ["2802"] })
  })

  it.each([
    ["a name twice", "invoiceType=0&invoiceType=1"],
    ["a text and an object", "items=1&items[0].name=x"],
    ["no name", "=1"],
    ["depth", "a.b.c.d.e.f.g=1"]
  ])("with %s is refused whole", async (_what, body) => {
    const answer = await client.submit(body, undefined, { "Content-Type": "application/x-www-form-urlencoded" })
    expect(answer.status).toBe(400)
  })

  it("reads lists and numbers, and makes no list of a huge index", () => {
    expect(parseForm("items[1].quantity=1.50&items[0].quantity=x&items[0].labels=A&items[0].labels=B")).toEqual({
      items: [{ quantity: "x", labels: ["A", "B"] }, { quantity: new JsonNumber("1.50") }]
    })
    expect(parseForm("items[99999999].name=x")).toEqual({ items: { "99999999": { name: "x" } } })
    expect(Object.getPrototypeOf(parseForm("__proto__.name=x"))).toBe(Object.prototype)
  })
})
