import { type DateTime, Result, Schema } from "effect"
import type { Dinars } from "../money/Dinars.ts"
import { dinarsField, labelsField, noControlCharacters, optional, textField } from "../requests/fields.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import { CatalogueSkuAlreadyExists } from "./errors.ts"

export const ProductId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

/** What a caller says about a product. Source: Spec, Resources, Product; Catalogue operations. */
export interface ProductContent {
  readonly sku: Sku
  readonly gtin: string | null
  readonly name: string
  /** Null only in a product that an earlier release imported without one: every write demands it (docs/adr/0213). */
  readonly unitOfMeasure: string | null
  /** With tax, in dinars. */
  readonly grossUnitPrice: Dinars
  readonly taxLabels: ReadonlyArray<string>
  readonly isActive: boolean
}

/** A product of a taxpayer's catalogue. Receipts keep their own copy of what they sold. Source: Spec, Resources, Product. */
export interface Product extends ProductContent {
  readonly id: ProductId
  readonly taxpayerId: TaxpayerId
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** A taxpayer's own name of a product, 1 to 100 characters, compared code point for code point. Source: Spec, Limits. */
export const Sku = textField(100).annotate({
  description: "Your own code of the product, unique for the taxpayer, compared character for character."
}).pipe(Schema.brand("Sku"))
export type Sku = typeof Sku.Type

/**
 * Whether a product may use a SKU. `holder` is the taxpayer's product that has the SKU already, active or not, or null; `product` is the one that
 * wants it, null while it is being created. A product keeps its own SKU. Source: Spec, Catalogue operations.
 */
export const takeSku = (
  sku: Sku,
  holder: ProductId | null,
  product: ProductId | null
): Result.Result<void, CatalogueSkuAlreadyExists> =>
  holder === null || holder === product
    ? Result.succeed(undefined)
    : Result.fail(new CatalogueSkuAlreadyExists({ sku, productId: holder }))

/** The separator of a product's labels in a CSV file (Spec, Catalogue operations). */
export const labelSeparator = "|"

// 8,6E+12: a spreadsheet read the code as a number and rounded it; its digits are lost.
const shortenedNumber = /^\d(?:[.,]\d+)?[eE]\+\d+$/

const shortenedFault = "must have all its digits: a spreadsheet read it as a number and shortened it; format the column as text and enter the code again"

const gtinField = textField(32, {
  form: (text) => (shortenedNumber.test(text) ? shortenedFault : undefined)
})

const labelField = textField(50, {
  form: (text) => (text.includes(labelSeparator) ? `must not contain ${labelSeparator}, which separates labels in a CSV file` : undefined),
  pattern: noControlCharacters.replace("[^", `[^${labelSeparator}`)
})

/** The fields of a product with their bounds, for bodies and files alike. Source: Spec, Catalogue operations; Limits. */
export const productFields = {
  sku: Sku,
  gtin: optional(gtinField.annotate({ description: "Its trade item number, where it has one." })),
  name: textField(500).annotate({ description: "What it is called." }),
  unitOfMeasure: textField(50).annotate({ description: "What it is counted in." }),
  grossUnitPrice: dinarsField.annotate({ description: "Price of one unit with tax, dinars, at most two decimals." }),
  taxLabels: labelsField(labelField.annotate({ description: "A label." })).annotate({
    description: "Labels of the tax-rate read; whether they are current is asked when a receipt is issued."
  })
}
