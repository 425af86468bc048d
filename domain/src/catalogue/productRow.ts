import { BigDecimal, Result, Schema } from "effect"
import { Dinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/decimals.ts"
import { requestDecoder } from "../requests/decodeRequest.ts"
import { type Fault, faultAt, RequestFaults } from "../requests/Fault.ts"
import { foldText } from "../search/foldText.ts"
import { guardText, unguardText } from "../spreadsheets/Sheet.ts"
import { labelSeparator, type ProductContent, productFields } from "./Product.ts"

/** The columns of a product file, in the order of an export. Source: Spec, Catalogue operations. */
export const productColumns = ["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"] as const
export type ProductColumn = (typeof productColumns)[number]

/** A row's cells by their column. */
export type ProductCells = Readonly<Record<ProductColumn, string>>

/** A product as cells: decimals with a point, labels separated by a bar, absent values empty, texts protected from being read as formulas. */
export const toCells = (product: ProductContent): ReadonlyArray<string> => [
  guardText(product.sku),
  guardText(product.name),
  guardText(product.gtin ?? ""),
  guardText(product.unitOfMeasure ?? ""),
  formatDecimal(product.grossUnitPrice, 2),
  guardText(product.taxLabels.join(labelSeparator)),
  String(product.isActive)
]

// Digits with at most one point or comma. Grouped thousands are refused, because they would be ambiguous.
const price = /^\d{1,15}(?:[.,]\d{1,15})?$/

const priceOf = (cell: string): BigDecimal.BigDecimal | string =>
  price.test(cell) ? BigDecimal.fromStringUnsafe(cell.replace(",", ".")) : cell

/** Spellings of the activity in files: an export's words, numbers, and what a spreadsheet in Serbian writes in either script. */
const activities = new Map([["true", true], ["1", true], ["tacno", true], ["false", false], ["0", false], ["netacno", false]])

const activityOf = (cell: string): boolean | string => activities.get(foldText(cell)) ?? cell

const priceFault = "must be a price like 1234.50 or 1234,50, with at most two decimals and without separators of thousands"
const activityFault = "must be true or false"

const decode = requestDecoder(Schema.Struct({ ...productFields, isActive: Schema.Boolean }))

// ="0012": a common way to make a spreadsheet keep the zeros of a code.
const textFormula = /^="((?:[^"]|"")*)"$/
const formulaColumns = ["sku", "name", "gtin", "unitOfMeasure", "taxLabels"] as const
const formulaFault = "contains a formula; save its value instead, or put an apostrophe before the text if it is meant literally"

/** The text of a cell as it was meant: without the apostrophe of an export and without the formula that only holds a text. */
const textOf = (cell: string): string => {
  const inFormula = textFormula.exec(cell)?.[1]
  return inFormula === undefined ? unguardText(cell) : inFormula.replaceAll("\"\"", "\"")
}

const formulaFaults = (cells: ProductCells): ReadonlyArray<Fault> =>
  formulaColumns.filter((column) => cells[column].startsWith("=") && !textFormula.test(cells[column]))
    .map((column) => faultAt([column], formulaFault))

// Faults in the words of a file: what the faults of a JSON body say of null and of numbers means nothing to the author of a file.
const inTheFilesWords = ({ faults }: RequestFaults, unitPrice: unknown): ReadonlyArray<Fault> =>
  faults.map((fault) => {
    if (fault.pointer === "/grossUnitPrice" && typeof unitPrice === "string") return { ...fault, message: priceFault }
    if (fault.pointer === "/isActive") return { ...fault, message: activityFault }
    return fault.message.startsWith("must not be empty") ? { ...fault, message: "must not be empty" } : fault
  })

const bodyOf = (cells: ProductCells) => ({
  sku: textOf(cells.sku),
  name: textOf(cells.name),
  gtin: cells.gtin === "" ? null : textOf(cells.gtin),
  unitOfMeasure: textOf(cells.unitOfMeasure),
  grossUnitPrice: priceOf(cells.grossUnitPrice),
  taxLabels: cells.taxLabels === "" ? [] : textOf(cells.taxLabels).split(labelSeparator),
  isActive: activityOf(cells.isActive)
})

/** A product from its cells, under the bounds of a body. Only the gtin may be empty. */
export const fromCells = (cells: ProductCells): Result.Result<ProductContent, RequestFaults> => {
  const body = bodyOf(cells)
  const decoded = decode(body)
  const formulas = formulaFaults(cells)
  if (Result.isFailure(decoded) || formulas.length > 0) {
    const others = Result.isFailure(decoded) ? inTheFilesWords(decoded.failure, body.grossUnitPrice) : []
    const faults = [...formulas, ...others.filter(({ pointer }) => !formulas.some((formula) => pointer.startsWith(formula.pointer)))]
    return Result.fail(new RequestFaults({ faults }))
  }
  const product = decoded.success
  return Result.succeed({
    sku: product.sku,
    gtin: product.gtin ?? null,
    name: product.name,
    unitOfMeasure: product.unitOfMeasure,
    grossUnitPrice: Dinars.make(product.grossUnitPrice),
    taxLabels: product.taxLabels,
    isActive: product.isActive
  })
}
