import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { importChanges, seenBefore } from "../../src/catalogue/planImport.ts"
import type { ProductContent } from "../../src/catalogue/Product.ts"

const content = fc.record({
  sku: fc.constantFrom("a", "b", "c", "d").map((sku) => sku as ProductContent["sku"]),
  gtin: fc.option(fc.constantFrom("1", "=1")),
  name: fc.constantFrom("Чај", "чај"),
  unitOfMeasure: fc.option(fc.constant("ком")),
  grossUnitPrice: fc.constantFrom("1", "1.00", "2").map((text) => BigDecimal.fromStringUnsafe(text) as ProductContent["grossUnitPrice"]),
  taxLabels: fc.constantFrom(["Ђ"], ["Ђ", "Е"]),
  isActive: fc.boolean()
})
const products = fc.uniqueArray(content, { selector: ({ sku }) => sku })

describe("the preview of an import", () => {
  it("has every row of the file once: new, changed or as it is; after it nothing is left to change", () => {
    fc.assert(fc.property(products, products, (catalogue, rows) => {
      const { changed, created, unchanged } = importChanges(catalogue, rows)
      assert.strictEqual(created.length + changed.length + unchanged, rows.length)
      assert.deepStrictEqual(created, rows.filter(({ sku }) => !catalogue.some((known) => known.sku === sku)))
      assert.isTrue(changed.every(({ after, before, columns }) => after.sku === before.sku && columns.length > 0))
      const later = [...catalogue.filter(({ sku }) => !rows.some((row) => row.sku === sku)), ...rows]
      assert.deepStrictEqual(importChanges(later, rows), { created: [], changed: [], unchanged: rows.length })
    }))
  })

  it("is seen again as the same exactly while the products of its skus are the same", () => {
    fc.assert(fc.property(products, products, content, (catalogue, rows, other) => {
      const after = [...catalogue.filter(({ sku }) => sku !== other.sku), other]
      const isSame = seenBefore(catalogue, rows) === seenBefore(after, rows)
      const touched = rows.some(({ sku }) => sku === other.sku)
      const before = catalogue.find(({ sku }) => sku === other.sku)
      const isEqual = before !== undefined && importChanges([before], [other]).changed.length === 0
      assert.strictEqual(isSame, !touched || isEqual)
      assert.strictEqual(seenBefore(catalogue.toReversed(), rows), seenBefore(catalogue, rows))
    }))
  })
})
