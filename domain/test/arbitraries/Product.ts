import * as fc from "fast-check"
import { type ProductContent, ProductId, Sku } from "../../src/catalogue/Product.ts"
import { dinars } from "./SaleLine.ts"

/** Pieces that are difficult for a reader of CSV files. */
const pieces = fc.constantFrom(",", ";", "\"", "\"\"", "|", " ", "=1+1", "sep=;", "'", "Хлеб", "1,5", "\uFEFF", "👩‍🌾", "e\u0301", "sku", "\u00a0", "\u2028")

/** A text without control characters, from 1 to some twenty characters. */
const text = fc
  .array(fc.oneof(pieces, fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" })), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""))

const taxLabel = fc.constantFrom("Ђ", "Е", "E", "Г", "А", "A", "F", " P", "a,b", "\"x\"")

/** A product as every write takes it. */
export const productContent: fc.Arbitrary<ProductContent> = fc.record({
  sku: text.map((sku) => Sku.make(sku)),
  gtin: fc.option(fc.oneof(fc.stringMatching(/^\d{8,14}$/), text)),
  name: text,
  unitOfMeasure: text,
  grossUnitPrice: dinars(),
  taxLabels: fc.uniqueArray(taxLabel, { minLength: 1, maxLength: 3 }),
  isActive: fc.boolean()
})

/** The products of one taxpayer: every sku once. */
export const catalogue = (most = 8): fc.Arbitrary<ReadonlyArray<ProductContent>> =>
  fc.uniqueArray(productContent, { minLength: 1, maxLength: most, selector: ({ sku }) => sku })

/** The product of a number. */
export const productId = (number: number): ProductId =>
  ProductId.make(`01900006-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)
