import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { member } from "../../src/requests/bodyTree.ts"
import { FiscalDocumentShape } from "../../src/requests/FiscalDocumentRequest.ts"
import { noControlCharacters, noControlCharactersButNewline } from "../../src/requests/textField.ts"
import { TaxpayerRegistrationShape } from "../../src/requests/TaxpayerRegistration.ts"

const schemaOf = (shape: Schema.Constraint): unknown => Schema.toJsonSchemaDocument(shape).schema
const property = (schema: unknown, name: string): unknown => member(member(schema, "properties"), name)
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] })

describe("The shapes state in JSON Schema the bounds that they enforce; the published contract is held to it", () => {
  it.each([
    ["clientReference", { type: "string", minLength: 1, maxLength: 200, pattern: noControlCharacters }],
    ["commercialFooter", orNull({ type: "string", minLength: 1, maxLength: 2000, pattern: noControlCharactersButNewline })],
    ["taxpayerId", { type: "string", format: "uuid" }],
    ["transactionOccurredAt", orNull({ type: "string", format: "date-time" })]
  ])("%s of a sale", (name, expected) => {
    expect(property(schemaOf(FiscalDocumentShape), name)).toEqual(expected)
  })

  it.each([
    ["gtin", orNull({ type: "string", minLength: 1, maxLength: 14, pattern: "^[0-9]{8,14}$" })],
    ["unitOfMeasure", orNull({ type: "string", minLength: 1, maxLength: 50, pattern: noControlCharacters })],
    ["taxLabels", { type: "array", items: { type: "string", minLength: 1, maxLength: 50, pattern: noControlCharacters }, minItems: 1, uniqueItems: true }]
  ])("%s of an item", (name, expected) => {
    const items = property(schemaOf(FiscalDocumentShape), "items")
    expect(property(member(items, "items"), name)).toEqual(expected)
  })

  it.each([
    ["items", FiscalDocumentShape, 1000],
    ["payments", FiscalDocumentShape, 50],
    ["businessPremises", TaxpayerRegistrationShape, 1000]
  ] as const)("%s, from 1 to so many", (name, shape, most) => {
    expect(property(schemaOf(shape), name)).toMatchObject({ type: "array", minItems: 1, maxItems: most })
  })
})
