import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { member } from "../../src/requests/bodyTree.ts"
import { FiscalDocumentShape } from "../../src/requests/FiscalDocumentRequest.ts"
import { noControlCharacters, noControlCharactersButNewline } from "../../src/requests/textField.ts"
import { TaxpayerRegistrationShape } from "../../src/requests/TaxpayerRegistration.ts"

/** The schema of a named object in a shape. */
const schemaOf = (shape: Schema.Constraint, name: string): unknown => Schema.toJsonSchemaDocument(shape).definitions[name]
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

  it.each([
    ["items", FiscalDocumentShape, "FiscalDocumentRequest", 1000],
    ["payments", FiscalDocumentShape, "FiscalDocumentRequest", 50],
    ["businessPremises", TaxpayerRegistrationShape, "TaxpayerRegistration", 1000]
  ] as const)("%s, from 1 to so many", (name, shape, object, most) => {
    expect(property(schemaOf(shape, object), name)).toMatchObject({ type: "array", minItems: 1, maxItems: most })
  })
})
