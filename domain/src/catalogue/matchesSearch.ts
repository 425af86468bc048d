import { foldText } from "../search/foldText.ts"
import type { Product } from "./Product.ts"

/** The texts of a product that a search looks at. Source: Spec, Catalogue operations (GET /v1/products). */
export const productTexts = (product: Pick<Product, "name" | "sku" | "gtin">): ReadonlyArray<string> =>
  [product.name, product.sku, product.gtin].filter((text) => text !== null)

/**
 * Whether a product answers a search: its name, sku or gtin contains the text, whatever the letter case, script and diacritics. The
 * meaning that every store's search must have. Source: Spec, Catalogue operations (GET /v1/products); Decisions §11.
 */
export const matchesSearch = (product: Pick<Product, "name" | "sku" | "gtin">, search: string): boolean => {
  const sought = foldText(search)
  return productTexts(product).some((text) => foldText(text).includes(sought))
}
