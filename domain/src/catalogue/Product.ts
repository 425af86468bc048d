import { type DateTime, Schema } from "effect"
import type { Dinars } from "../money/Dinars.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { Sku } from "./Sku.ts"

export const ProductId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

/** What a caller says about a product. Source: Spec, Resources, Product; Catalogue operations. */
export interface ProductContent {
  readonly sku: Sku
  readonly gtin: string | null
  readonly name: string
  /** Null only from an import that leaves it empty: an advance item needs none. */
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
