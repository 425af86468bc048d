import type { Product } from "./Product.ts"

/**
 * Whether a product answers a search: its name, sku or gtin contains the text, upper and lower case alike.
 * Source: Spec, Catalogue operations (GET /v1/products).
 */
export const matchesSearch = (product: Pick<Product, "name" | "sku" | "gtin">, search: string): boolean => {
  const wanted = search.toLowerCase()
  return [product.name, product.sku, product.gtin ?? ""].some((text) => text.toLowerCase().includes(wanted))
}
