import { DocumentContent } from "@overa/domain"
import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { fromStoredJson, toStoredJson } from "../src/rows/storedJson.ts"
import { bodyWithoutPersonalData, contentWithoutPersonalData } from "../src/rows/withoutPersonalData.ts"

const decimal = (text: string) => BigDecimal.fromStringUnsafe(text)

const metadata = fc.dictionary(
  fc.string({ minLength: 1, unit: "binary" }),
  fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), fc.constant(null), fc.bigInt({ min: -999_999n, max: 999_999n }).map((value) => BigDecimal.make(value, 3)))
)

const contentOf = (fields: { readonly metadata: DocumentContent["metadata"]; readonly displayName: string | null; readonly clientReference: string }): DocumentContent => ({
  invoiceType: "NORMAL",
  transactionType: "SALE",
  clientReference: fields.clientReference,
  cashier: { id: "web", displayName: fields.displayName },
  buyer: null,
  items: [{
    name: "\"metadata\":{\"displayName\":1}", unitOfMeasure: "ком", quantity: decimal("1.250") as never, unitPrice: decimal("100.40") as never, unitPriceBeforeDiscount: null, gtin: null,
    catalogProductId: null, taxLabels: ["A"], originalLineIndex: null
  }],
  payments: [{ type: "CARD", amount: decimal("125.50") as never }],
  commercialFooter: null, metadata: fields.metadata, reference: null, dateAndTimeOfIssue: null, advanceClosing: null, esirNumber: "1/1", preferredPaperFormat: "a4", brandingId: null
})

const read = fromStoredJson(DocumentContent)

describe("what an erasure leaves", () => {
  it("of a content: everything but metadata and the cashier's name, exactly as it was stored", () => {
    fc.assert(fc.property(
      fc.option(metadata), fc.option(fc.string({ minLength: 1, maxLength: 9, unit: "grapheme" })), fc.string(),
      (data, displayName, clientReference) => {
        const content = contentOf({ metadata: data, displayName, clientReference })
        const left = contentWithoutPersonalData(toStoredJson(content))
        if (data === null && displayName === null) return assert.isNull(left)
        assert.strictEqual(left, toStoredJson({ ...content, cashier: { id: "web", displayName: null }, metadata: null }))
        assert.isNull(read(left ?? "").metadata)
        assert.isNull(contentWithoutPersonalData(left ?? ""))
      }
    ))
  })

  it("of a body: the other members in their order, with their numbers' spelling", () => {
    const body = "\uFEFF{ \"a\": 1.250, \"metadata\": {\"phone\": \"064\", \"n\": 1e2}, \"cashier\": {\"displayName\": \"Ана\", \"id\": \"web\"}, \"__proto__\": {\"x\": 1E400}, \"z\": [12345678901234567890] }"
    assert.strictEqual(bodyWithoutPersonalData(body), "{\"a\":1.250,\"cashier\":{\"id\":\"web\"},\"__proto__\":{\"x\":1E400},\"z\":[12345678901234567890]}")
  })

  it("of a body without either: nothing changes", () => {
    for (const body of ["", "{}", "[]", "1", "{\"metadata\":null,\"cashier\":{\"id\":\"web\",\"displayName\":null}}", "{\"items\":[{\"metadata\":{\"a\":1}}]}"]) {
      assert.isNull(bodyWithoutPersonalData(body), body)
    }
  })
})
