/** How long each step of reading a body blocks the event loop, for every size up to the limit. */
import { describe, expect, it } from "vitest"
import {
  decodeAdvanceCaseRequest,
  decodeCopyRequest,
  decodeFiscalDocumentRequest,
  decodeNewProduct,
  decodeProformaTrainingRequest,
  decodeReceiptDeliveryRequest,
  decodeRefundRequest,
  decodeTaxpayerRegistration,
  fingerprint,
  parseExactJson,
  readBodyTree,
  readSignedAnswer
} from "@overa/domain"
import { Result } from "effect"
import { hash } from "node:crypto"
import { readJson } from "@overa/host-kit"
import { bodyBytes, problemDetails } from "@overa/rest-api"
import { loopMillis, quickestMillis } from "./quickest.ts"

const uuid = "0190aaaa-0000-7000-8000-000000000000"
const sale = { taxpayerId: uuid, businessPremiseId: uuid, clientReference: "o", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "1" } }
const item = (name: string, extra = {}) => ({ name, unitOfMeasure: "ком", quantity: 1, unitPrice: 1, gtin: "8600000000017", taxLabels: ["A"], ...extra })
const paid = (amount: number) => [{ type: "CARD", amount }]
const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, index) => make(index))
const members = (count: number, value: unknown) => Object.fromEntries(many(count, (index) => [`k${index}`, value]))
const broken = { name: "", unitOfMeasure: "", quantity: "x", unitPrice: "x", gtin: "x", taxLabels: "x", catalogProductId: 1, unitPriceBeforeDiscount: "z" }
const withItems = (items: ReadonlyArray<unknown>, total = items.length) => ({ ...sale, items, payments: paid(total) })
const full = (length: number) => (text: string) => text.repeat(Math.floor(length / Buffer.byteLength(text)))
const megabyte = full(bodyBytes["application/json"] - 32)
/** With other members beside it. */
const nearlyMegabyte = full(bodyBytes["application/json"] - 1_024)

const bodies: Readonly<Record<string, string>> = {
  "a number of a megabyte": `{"amount":1${megabyte("0")}1}`,
  "a fraction of a megabyte": `{"amount":0.${megabyte("0")}}`,
  "an exponent of a megabyte": `{"amount":1e${megabyte("9")}}`,
  "every number with 400 zeros": JSON.stringify(withItems(many(1_000, () => item("a")))).replaceAll("\"quantity\":1", `"quantity":1.${"0".repeat(400)}`),
  "half a million numbers": `[${megabyte("1,")}1]`,
  "half a million lists": `[${megabyte("[],")}1]`,
  "lists in objects in lists": JSON.stringify(many(1_900, () => ({ a: { b: { c: [[]] } } }))),
  "nesting without an end": megabyte("["),
  "objects without an end": megabyte("{\"a\":"),
  "twenty thousand members": JSON.stringify(members(20_000, 1)),
  "two thousand members": JSON.stringify(members(2_000, 1)),
  "unknown members of every item": JSON.stringify(withItems(many(1_000, () => members(22, 1)))),
  "two thousand items": JSON.stringify(withItems(many(2_000, () => item("a")))),
  "a thousand empty items": JSON.stringify(withItems(many(1_000, () => ({})))),
  "a thousand items wrong in every field": JSON.stringify(withItems(many(1_000, () => broken))),
  "labels that are none": JSON.stringify(withItems(many(11, () => item("a", { taxLabels: many(2_000, () => 1) })))),
  "two thousand labels": JSON.stringify(withItems(many(11, () => item("a", { taxLabels: many(2_000, (index) => `L${index}`) })))),
  "two thousand payments": JSON.stringify({ ...withItems([item("a")]), payments: many(2_000, () => ({ a: 1, b: 2, c: 3, d: 4 })) }),
  "metadata of two thousand keys": JSON.stringify({ ...withItems([item("a")]), metadata: members(2_000, "\u0001") }),
  "escapes alone": `{"a":"${megabyte("\\u0041")}"}`,
  "quotes escaped, without an end": `"${megabyte("\\\"")}`,
  "one text of a megabyte": JSON.stringify(withItems([item(full(1_040_000)("ж"))])),
  "one name of a megabyte": JSON.stringify({ [full(1_040_000)("~/")]: 1 }),
  "white space alone": megabyte(" "),
  "a thousand items of the longest names": JSON.stringify(withItems(many(1_000, (index) => item(`${index}`.padEnd(450, "ж"))))),
  "a thousand items with every field": JSON.stringify(withItems(many(1_000, (index) => item(`${index}`.padEnd(400, "z"), {
    unitPriceBeforeDiscount: 2,
    catalogProductId: uuid,
    taxLabels: many(8, (label) => `L${label}`)
  }))))
}

const sha256 = (text: string): string => hash("sha256", text, "hex")

/** Each step of reading a body, in the host's order. */
const stepsOf = (text: string): ReadonlyArray<readonly [string, () => unknown]> => {
  const read = readJson(text)
  if (Result.isFailure(read)) return [["read", () => readJson(text)]]
  const tree = read.success
  const decoded = decodeFiscalDocumentRequest(tree, { environment: "sandbox" })
  const decode = ["decode", () => decodeFiscalDocumentRequest(tree, { environment: "sandbox" })] as const
  if (Result.isFailure(decoded)) {
    const { faults } = decoded.failure
    return [["read", () => readJson(text)], decode, ["answer", () => JSON.stringify(problemDetails(faults))]]
  }
  return [
    ["read", () => readJson(text)],
    decode,
    ["fingerprint", () => fingerprint("POST /v1/fiscal-documents", tree, sha256)],
    ["read again", () => readBodyTree(text)]
  ]
}

const costs = (steps: ReadonlyArray<readonly [string, () => unknown]>): ReadonlyArray<string> =>
  steps.map(([name, step]) => [name, quickestMillis(step, loopMillis)] as const)
    .filter(([, millis]) => millis > loopMillis)
    .map(([name, millis]) => `${name}: ${millis.toFixed(1)} ms`)

/** The fastest run counts; where other programs use the machine, it may be a later one. */
const patiently = { timeout: 60_000, retry: 4 }

describe("No body a caller may send takes the event loop for longer than 10 ms at a time", () => {
  it.each(Object.entries(bodies))("%s", patiently, (_name, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bodyBytes["application/json"])
    expect(costs(stepsOf(text))).toEqual([])
  })
})

const registration = (premises: ReadonlyArray<unknown>) => ({ taxIdentifier: "100000001", name: "a", vatStatus: "IN_VAT", businessPremises: premises })
const premise = (puIdentifier: string) => ({ puIdentifier, name: "a" })

const otherBodies: Readonly<Record<string, readonly [decode: (body: unknown) => unknown, body: unknown]>> = {
  "a registration whose premises differ at their ends": [decodeTaxpayerRegistration, registration(many(2_000, (index) => premise("x".repeat(450) + index)))],
  "a registration whose premises are one": [decodeTaxpayerRegistration, registration(many(2_000, () => premise("x")))],
  "a refund wrong in every field": [(body) => decodeRefundRequest(body, { environment: "sandbox" }), withItems(many(1_000, () => broken))],
  "a proforma wrong in every field": [(body) => decodeProformaTrainingRequest(body, { environment: "sandbox" }), withItems(many(1_000, () => broken))],
  "a copy with two thousand keys of metadata": [decodeCopyRequest, { cashier: { id: "1" }, metadata: members(2_000, "\u0001") }],
  "an address of a megabyte": [decodeReceiptDeliveryRequest, { fiscalDocumentId: uuid, recipient: `${nearlyMegabyte("a.")}@${"a.".repeat(100)}rs` }],
  "an address of dots and hyphens": [decodeReceiptDeliveryRequest, { fiscalDocumentId: uuid, recipient: `a@${"a-".repeat(31)}a.${"a-".repeat(31)}` }],
  "a product with two thousand labels": [decodeNewProduct, { sku: "x", taxLabels: many(2_000, (index) => `L${index}`) }],
  "a time of a megabyte": [decodeAdvanceCaseRequest, { externalAdvance: { documentTime: `2026-01-01T00:00:00.${nearlyMegabyte("0")}Z` } }]
}

describe("No body of another operation does", () => {
  it.each(Object.entries(otherBodies))("%s", patiently, (_name, [decode, body]) => {
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(bodyBytes["application/json"])
    expect(costs([["decode", () => decode(body)]])).toEqual([])
  })
})

const largestAnswer = 1_048_576
const answer = full(largestAnswer - 64)
const signed = {
  requestedBy: "YJLQTEQR",
  signedBy: "YJLQTEQR",
  sdcDateTime: "2023-06-06T13:21:15.504282+02:00",
  invoiceCounter: "8652/11389ПП",
  invoiceNumber: "YJLQTEQR-YJLQTEQR-11389",
  taxItems: [],
  verificationUrl: "https://sandbox.suf.purs.gov.rs/v/?vl=AAAA",
  journal: "ФИСКАЛНИ РАЧУН",
  signature: Buffer.alloc(256).toString("base64"),
  totalAmount: 68.46
}

const answers: Readonly<Record<string, string>> = {
  "quotes escaped, without an end": `"${answer("\\\"")}`,
  "digits without an end": answer("1"),
  "numbers alone": `[${answer("1,")}1]`,
  "long numbers alone": `[${answer("1234567890123456,")}1]`,
  "brackets without an end": answer("["),
  "objects": `[${answer("{},")}1]`,
  "members": JSON.stringify(members(50_000, 1)),
  "a journal of a megabyte": JSON.stringify({ ...signed, journal: answer("-").slice(0, 900_000) }),
  "a link of a megabyte": JSON.stringify({ ...signed, verificationUrl: `https://x/v/?vl=${answer("A").slice(0, 900_000)}` }),
  "a counter of a megabyte": JSON.stringify({ ...signed, invoiceCounter: answer("1").slice(0, 900_000) }),
  "ten thousand taxes": JSON.stringify({ ...signed, taxItems: many(10_000, (index) => ({ label: `L${index}`, amount: 1.1, rate: 20, categoryName: "x", categoryType: 0 })) })
}

describe("No answer of a V-PFR does", () => {
  it.each(Object.entries(answers))("%s", patiently, (_name, text) => {
    expect(text.length).toBeLessThanOrEqual(largestAnswer)
    expect(costs([["parse", () => parseExactJson(text)], ["read", () => readSignedAnswer(text)]])).toEqual([])
  })
})
