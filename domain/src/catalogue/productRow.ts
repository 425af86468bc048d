import { BigDecimal, Result, Schema } from "effect"
import { Dinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { requestDecoder } from "../requests/decodeRequest.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { optional } from "../requests/textField.ts"
import type { ProductContent } from "./Product.ts"
import { labelSeparator, productFields } from "./productFields.ts"

/** The columns of a product file, in the order of an export. Source: Spec, Catalogue operations. */
export const productColumns = ["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"] as const
export type ProductColumn = (typeof productColumns)[number]

/** A row's cells by their column. */
export type ProductCells = Readonly<Record<ProductColumn, string>>

/** A product as cells: decimals with a point, labels parted by a bar, what is absent empty. */
export const toCells = (product: ProductContent): ReadonlyArray<string> => [
  product.sku,
  product.name,
  product.gtin ?? "",
  product.unitOfMeasure ?? "",
  formatDecimal(product.grossUnitPrice, 2),
  product.taxLabels.join(labelSeparator),
  String(product.isActive)
]

// Digits with at most one point or comma: grouped thousands would be ambiguous, so that they are refused.
const price = /^\d{1,15}(?:[.,]\d{1,15})?$/

const priceOf = (cell: string): BigDecimal.BigDecimal | string =>
  price.test(cell) ? BigDecimal.fromStringUnsafe(cell.replace(",", ".")) : cell

const activityOf = (cell: string): boolean | string => {
  const text = cell.toLowerCase()
  if (text === "true" || text === "1") return true
  return text === "false" || text === "0" ? false : cell
}

const priceFault = "must be a price like 1234.50 or 1234,50, without separators of thousands"

const decode = requestDecoder(Schema.Struct({
  ...productFields,
  unitOfMeasure: optional(productFields.unitOfMeasure),
  isActive: Schema.Boolean
}))

// What a body's fault says of null and of numbers means nothing to the writer of a file.
const inTheFilesWords = ({ faults }: RequestFaults, unitPrice: unknown): RequestFaults =>
  new RequestFaults({
    faults: faults.map((fault) => {
      if (fault.pointer === "/grossUnitPrice" && typeof unitPrice === "string") return { ...fault, message: priceFault }
      return fault.message.startsWith("must not be empty") ? { ...fault, message: "must not be empty" } : fault
    })
  })

/** A product from its cells, under the bounds of a body. The unit and the gtin may be empty. */
export const fromCells = (cells: ProductCells): Result.Result<ProductContent, RequestFaults> => {
  const row = {
    sku: cells.sku,
    name: cells.name,
    gtin: cells.gtin === "" ? null : cells.gtin,
    unitOfMeasure: cells.unitOfMeasure === "" ? null : cells.unitOfMeasure,
    grossUnitPrice: priceOf(cells.grossUnitPrice),
    taxLabels: cells.taxLabels === "" ? [] : cells.taxLabels.split(labelSeparator),
    isActive: activityOf(cells.isActive)
  }
  const decoded = decode(row)
  if (Result.isFailure(decoded)) return Result.fail(inTheFilesWords(decoded.failure, row.grossUnitPrice))
  return Result.map(decoded, (product) => ({
    sku: product.sku,
    gtin: product.gtin ?? null,
    name: product.name,
    unitOfMeasure: product.unitOfMeasure ?? null,
    grossUnitPrice: Dinars.make(product.grossUnitPrice),
    taxLabels: product.taxLabels,
    isActive: product.isActive
  }))
}
