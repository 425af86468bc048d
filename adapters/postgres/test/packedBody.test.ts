import { fc, it } from "@fast-check/vitest"
import { assert, describe } from "vitest"
import { packBody, unpackBody } from "../src/rows/storedJson.ts"

describe("a body packed against the content", () => {
  it.prop({ body: fc.string({ unit: "binary", maxLength: 400 }), content: fc.string({ unit: "binary", maxLength: 400 }) })(
    "comes back as it was, or is not packed",
    ({ body, content }) => {
      const wellFormed = body.toWellFormed()
      const packed = packBody(wellFormed, content)
      if (packed !== null) assert.strictEqual(unpackBody(packed, content), wellFormed)
    }
  )

  it("is a small part of a body that says what the content says", () => {
    const items = Array.from({ length: 10 }, (_, index) => ({ name: `Књига ${index * 7_919} о ${index}`, unitPrice: 100.4 + index, gtin: `86000000${index * 31}` }))
    const body = JSON.stringify({ items, clientReference: "порџбина-4711" }, null, 2)
    const content = JSON.stringify({ clientReference: "порџбина-4711", items: items.map((item) => ({ ...item, unitPrice: { $decimal: String(item.unitPrice) } })) })
    assert.isBelow(packBody(body, content)?.length ?? Infinity, body.length / 3)
  })

  it("is not made of what is empty, or too long for the dictionary", () => {
    assert.isNull(packBody("", "x"))
    assert.isNull(packBody("x".repeat(40_000), "x".repeat(40_000)))
  })
})
