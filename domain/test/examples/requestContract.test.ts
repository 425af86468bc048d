import { BigDecimal, Result, Schema, SchemaRepresentation } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { itemBody, saleBody } from "../arbitraries/SaleBody.ts"
import { ReceiptDeliveryShape } from "../../src/delivery/ReceiptDeliveryRequest.ts"
import { AdvanceCaseShape } from "../../src/requests/AdvanceCaseRequest.ts"
import { decimalFromJsonNumber, member, UnrepresentableNumber } from "../../src/requests/bodyTree.ts"
import { decodeFiscalDocumentRequest, FiscalDocumentShape } from "../../src/requests/FiscalDocumentRequest.ts"
import { noControlCharacters, noControlCharactersButNewline } from "../../src/requests/fields.ts"
import { RefundShape } from "../../src/requests/RefundRequest.ts"
import { TaxpayerRegistrationShape } from "../../src/requests/TaxpayerRegistration.ts"

/** The schema of a named object in a shape. */
const schemaOf = (shape: Schema.Constraint, name: string): unknown => Schema.toJsonSchemaDocument(shape).definitions[name]
/** As the contract is written: from the type that the decoders read, with numbers for decimals. */
const numberOf = (shape: Schema.Constraint, name: string, field: string): string => {
  const { definitions } = SchemaRepresentation.toJsonSchemaMultiDocument(SchemaRepresentation.toRepresentations([shape.ast]), { onExcessProperty: "error" })
  return JSON.stringify(property(definitions[name], field))
}
const property = (schema: unknown, name: string): unknown => member(member(schema, "properties"), name)
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] })

describe("The shapes state in JSON Schema the bounds that they enforce; the published contract is held to it", () => {
  it.each([
    ["clientReference", { type: "string", minLength: 1, maxLength: 200, pattern: noControlCharacters }],
    ["commercialFooter", orNull({ type: "string", minLength: 1, maxLength: 2000, pattern: noControlCharactersButNewline })],
    ["taxpayerId", { type: "string", format: "uuid" }],
    ["invoiceType", { type: "string", enum: ["NORMAL", "COPY"] }]
  ])("%s of a sale", (name, expected) => {
    expect(property(schemaOf(FiscalDocumentShape, "FiscalDocumentRequest"), name)).toMatchObject(expected)
  })

  it.each([
    ["gtin", orNull({ type: "string", minLength: 1, maxLength: 14, pattern: "^[0-9]{8,14}$" })],
    ["unitOfMeasure", orNull({ type: "string", minLength: 1, maxLength: 50, pattern: noControlCharacters })],
    ["taxLabels", { type: "array", items: { type: "string", minLength: 1, maxLength: 50, pattern: noControlCharacters }, minItems: 1, uniqueItems: true }]
  ])("%s of an item", (name, expected) => {
    expect(property(schemaOf(FiscalDocumentShape, "LineItem"), name)).toMatchObject(expected)
  })

  it("formats of a delivery", () => {
    expect(property(schemaOf(ReceiptDeliveryShape, "ReceiptDeliveryRequest"), "formats")).toMatchObject(orNull({ type: "array", minItems: 1, uniqueItems: true }))
  })

  it("pfrTime of a reference, by its form", () => {
    const schema = property(schemaOf(FiscalDocumentShape, "ExternalReference"), "pfrTime")
    expect(schema).toMatchObject({ type: "string", format: "date-time" })
    const pattern = new RegExp(String(member(schema, "pattern")))
    expect(["2026-08-29T12:30:00+02:00", "2026-08-29T10:30:00.5Z", "2026-08-29T12:30:00", "2026-08-29"].map((text) => pattern.test(text))).toEqual([true, true, false, false])
  })

  it.each([
    ["items", FiscalDocumentShape, "FiscalDocumentRequest", 1000],
    ["payments", FiscalDocumentShape, "FiscalDocumentRequest", 50],
    ["businessPremises", TaxpayerRegistrationShape, "TaxpayerRegistration", 1000]
  ] as const)("%s, from 1 to so many", (name, shape, object, most) => {
    expect(property(schemaOf(shape, object), name)).toMatchObject({ type: "array", minItems: 1, maxItems: most })
  })

  it.each([
    ["quantity", FiscalDocumentShape, "LineItem", '"type":"number","minimum":0.001,"maximum":99999999999.999,"multipleOf":0.001'],
    ["unitPrice", FiscalDocumentShape, "LineItem", '"type":"number","minimum":0,"maximum":999999999999.99,"multipleOf":0.01'],
    ["unitPriceBeforeDiscount", FiscalDocumentShape, "LineItem", '"type":"number","minimum":0,"maximum":999999999999.99,"multipleOf":0.01'],
    ["amount", FiscalDocumentShape, "Payment", '"type":"number","minimum":0,"maximum":999999999999.99,"description"'],
    ["amount", AdvanceCaseShape, "ExternalAdvanceRequest", '"type":"number","exclusiveMinimum":0,"maximum":999999999999.99,"multipleOf":0.01'],
    ["originalLineIndex", RefundShape, "RefundItem", '"type":"integer","minimum":0,"maximum":999999,"description"'],
    [
      "metadata",
      FiscalDocumentShape,
      "FiscalDocumentRequest",
      `"type":"object","maxProperties":50,"propertyNames":${JSON.stringify({ minLength: 1, maxLength: 64, pattern: noControlCharacters })},"additionalProperties":{"type":["string","number","boolean","null"]`
    ]
  ] as const)("%s", (field, shape, object, bounds) => {
    expect(numberOf(shape, object, field)).toContain(bounds)
  })
})

describe("A long list is read slice by slice", () => {
  const bodyOf = (count: number, wrongAt: ReadonlySet<number> = new Set()) => ({
    ...saleBody,
    items: Array.from({ length: count }, (_, at) => ({ ...itemBody, name: wrongAt.has(at) ? "" : `item ${at}` })),
    payments: [{ type: "CARD", amount: BigDecimal.make(BigInt(count) * 1_000n, 2) }]
  })
  const decode = (body: unknown) => decodeFiscalDocumentRequest(body, { environment: "production" })
  const counts = fc.constantFrom(1, 99, 100, 101, 199, 200, 201, 250, 999, 1_000)

  it("keeps every item in its place", () => {
    fc.assert(fc.property(counts, (count) => {
      const read = Result.getOrThrow(decode(bodyOf(count)))
      expect(read.items.map(({ name }) => name)).toEqual(Array.from({ length: count }, (_, at) => `item ${at}`))
    }), { numRuns: 20 })
  })

  it("names every wrong item by its place", () => {
    fc.assert(fc.property(counts, fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 8 }), (count, any) => {
      const wrong = [...new Set(any.map((at) => at % count))].toSorted((one, other) => one - other)
      const read = decode(bodyOf(count, new Set(wrong)))
      expect(Result.isFailure(read) ? read.failure.faults.map(({ pointer }) => pointer) : []).toEqual(wrong.map((at) => `/items/${at}/name`))
    }), { numRuns: 20 })
  })

  it("is refused where it is no object, or has more items than a request may", () => {
    expect(Result.isFailure(decode([bodyOf(200)]))).toBe(true)
    const read = decode(bodyOf(1_001))
    expect(Result.isFailure(read) ? read.failure.faults.map(({ message, pointer }) => `${pointer} ${message}`) : []).toContain("/items must have at most 1000 items")
  })
})

describe("A number longer than any that a request can need", () => {
  it("is not computed, and is shortened where it is named", () => {
    const zeros = (length: number) => `0.${"0".repeat(length - 2)}`
    expect(BigDecimal.isBigDecimal(decimalFromJsonNumber(zeros(512)))).toBe(true)
    expect(decimalFromJsonNumber(zeros(513))).toEqual(new UnrepresentableNumber(zeros(512)))
  })
})
