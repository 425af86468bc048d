import { Dinars, formatDecimal, type Product, type ProductContent, productTexts, type Tenant } from "@overa/domain"
import { BigDecimal } from "effect"
import { numberingOf, searchKeys } from "../search/searchGrams.ts"
import { utc } from "./OperationRow.ts"

/** The columns of `products` with the caller's content. */
export interface ProductContentRow {
  readonly sku: string
  readonly gtin: string | null
  readonly name: string
  readonly unit_of_measure: string | null
  readonly gross_unit_price: string
  readonly tax_labels: ReadonlyArray<string>
  readonly is_active: boolean
}

/** A row of `products`. */
export interface ProductRow extends ProductContentRow {
  readonly product_id: string
  readonly taxpayer_id: string
  readonly created_at: Date
  readonly updated_at: Date
}

export const contentColumns = "p.sku, p.gtin, p.name, p.unit_of_measure, p.gross_unit_price, p.tax_labels, p.is_active"
export const productColumns = `p.product_id, p.taxpayer_id, ${contentColumns}, p.created_at, p.updated_at`

export const decodeContent = (row: ProductContentRow): ProductContent => ({
  sku: row.sku as Product["sku"],
  gtin: row.gtin,
  name: row.name,
  unitOfMeasure: row.unit_of_measure,
  grossUnitPrice: Dinars.make(BigDecimal.fromStringUnsafe(row.gross_unit_price)),
  taxLabels: row.tax_labels,
  isActive: row.is_active
})

export const decodeProduct = (row: ProductRow): Product => ({
  id: row.product_id as Product["id"],
  taxpayerId: row.taxpayer_id as Product["taxpayerId"],
  ...decodeContent(row),
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** Products as the parameter of a statement: one JSON text of any length, read by `askedProducts`. */
export const productsJson = (
  tenant: Tenant,
  products: ReadonlyArray<{ readonly id: string; readonly content: ProductContent }>
): string => {
  const numbering = numberingOf(tenant.organizationId, tenant.environment)
  return JSON.stringify(products.map(({ content, id }) => {
    const { grams, text } = searchKeys(numbering, productTexts(content))
    return {
      product_id: id,
      sku: content.sku,
      gtin: content.gtin,
      name: content.name,
      unit_of_measure: content.unitOfMeasure,
      gross_unit_price: formatDecimal(content.grossUnitPrice, 2),
      tax_labels: content.taxLabels,
      is_active: content.isActive,
      search_text: text,
      search_grams: grams
    }
  }))
}

/** The columns that `productsJson` fills besides the id. */
export const askedColumns = [
  "sku",
  "gtin",
  "name",
  "unit_of_measure",
  "gross_unit_price",
  "tax_labels",
  "is_active",
  "search_text",
  "search_grams"
] as const

/** The products of a JSON parameter as rows. */
export const askedProducts = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) as a (product_id uuid, sku text, gtin text, name text, unit_of_measure text,
     gross_unit_price numeric, tax_labels text[], is_active boolean, search_text text, search_grams integer[])`
