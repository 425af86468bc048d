import { canonicalJson } from "@overa/adapter-renderers"
import { decodeRefundRequest, differingFields, type LineItem, readBodyTree } from "@overa/domain"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { BigDecimal, Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { sampleKinds } from "../src/support/sampleKinds.ts"
import { sampleItem, sampleReceipt } from "../src/support/sampleReceipts.ts"

const schemaText = readFileSync(new URL("../../adapters/renderers/src/canonical-json.schema.json", import.meta.url), "utf8")
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(JSON.parse(schemaText) as object)

/** The items of a receipt's JSON as they would arrive in the body of a refund. */
const refundedFrom = (json: string, payments: string): ReadonlyArray<LineItem> => {
  const items = /"items": (\[[\s\S]*?\n {2}\])/.exec(json)?.[1] ?? "[]"
  const body = `{"taxpayerId": "0198c0de-0000-7000-8000-000000000002",
    "businessPremiseId": "0198c0de-0000-7000-8000-000000000003", "clientReference": "refund-1",
    "original": {"source": "SVC", "fiscalDocumentId": "0198c0de-0000-7000-8000-000000000010"},
    "cashier": {"id": "1"}, "buyer": {"id": "20:008765432"}, "items": ${items}, "payments": ${payments}}`
  const tree = Result.getOrThrow(readBodyTree(body))
  return Result.getOrThrow(decodeRefundRequest(tree, { environment: "production" })).items
}

describe("canonical-json follows its published schema", () => {
  it.each(Object.keys(sampleKinds))("for a %s", (kind) => {
    const receipt = sampleKinds[kind]?.() ?? sampleReceipt("NORMAL", "SALE")
    const valid = validate(JSON.parse(canonicalJson(receipt)))
    expect(validate.errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it("says no member twice, and none that is null", () => {
    const json = canonicalJson(sampleReceipt("NORMAL", "SALE", { buyer: null, commercialFooter: null }))
    expect(json).not.toMatch(/: null/)
    expect(JSON.parse(json)).not.toHaveProperty("buyer")
  })
})

describe("An item of canonical-json goes unchanged into a refund (Decisions §6)", () => {
  const exactItems = [
    sampleItem("Шећер", "кг", "99999999.999", "0.01", "Ђ", { gtin: "86001234", before: "0.02" }),
    sampleItem("Со", "кг", "0.001", "123456789.99", "Е")
  ]

  it.each([
    ["usual", undefined, "9504.99"],
    ["extreme", exactItems, "1123456.79"]
  ])("with %s amounts", (_, items, total) => {
    const receipt = sampleReceipt("NORMAL", "SALE", items === undefined ? {} : { items })
    const lines = receipt.operation.content.items
    const refunded = refundedFrom(canonicalJson(receipt), `[{"type": "CASH", "amount": ${total}}]`)
    expect(refunded.map((item) => item.originalLineIndex)).toEqual(lines.map((_line, index) => index))
    for (const [index, item] of refunded.entries()) {
      const line = lines[index]
      expect(line === undefined ? null : differingFields(item, line)).toEqual([])
      expect(line !== undefined && BigDecimal.equals(item.quantity, line.quantity)).toBe(true)
    }
  })

  it("and amounts are written from their exact text, never through a float", () => {
    const items = [sampleItem("Злато", "г", "1", "999999999999.99", "Ђ")]
    expect(canonicalJson(sampleReceipt("NORMAL", "SALE", { items }))).toContain("\"totalAmount\": 999999999999.99")
  })

  it("the printed total tax is the sum of printed amounts, beside the exact one (V-PFR §6.3)", () => {
    const items = [sampleItem("Хлеб", "ком", "1", "113.39", "Е"), sampleItem("Млеко", "ком", "1", "643.96", "Ђ")]
    const json = canonicalJson(sampleReceipt("NORMAL", "SALE", { items }))
    expect(json).toContain("\"totalTax\": 117.6349")
    expect(json).toContain("\"printedTotalTax\": 117.64")
  })
})
