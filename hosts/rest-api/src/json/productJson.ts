import type { Product } from "@overa/domain"
import { jsonNumber, utcTime } from "@overa/host-kit"

/** Source: Spec, Resources, Product. */
export const productJson = (product: Product) => ({
  id: product.id,
  taxpayerId: product.taxpayerId,
  sku: product.sku,
  gtin: product.gtin,
  name: product.name,
  unitOfMeasure: product.unitOfMeasure,
  grossUnitPrice: jsonNumber(product.grossUnitPrice),
  taxLabels: product.taxLabels,
  isActive: product.isActive,
  createdAt: utcTime(product.createdAt),
  updatedAt: utcTime(product.updatedAt)
})
