import { Result, Schema } from "effect"
import { textField } from "../requests/fields.ts"
import { CatalogueSkuAlreadyExists } from "./errors.ts"
import type { ProductId } from "./Product.ts"

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
    : Result.fail(new CatalogueSkuAlreadyExists({ sku, productId: holder, rows: [] }))
