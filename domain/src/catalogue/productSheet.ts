import { Result } from "effect"
import { type Fault, type Path, pointerOf, RequestFaults } from "../requests/Fault.ts"
import type { Sheet, SheetRow } from "../spreadsheets/Sheet.ts"
import { CatalogueImportHeadersInvalid, CatalogueImportTooManyRows, CatalogueSkuAlreadyExists } from "./errors.ts"
import type { ProductContent } from "./Product.ts"
import { fromCells, type ProductCells, type ProductColumn, productColumns, toCells } from "./productRow.ts"

/** The most products of one import. Source: Spec, Limits. */
export const mostImportRows = 1000

/** The most faults of a file that one answer lists. Source: Decisions §11. */
export const mostFileFaults = 100

export type ProductImportRefusal =
  | CatalogueImportHeadersInvalid
  | CatalogueImportTooManyRows
  | CatalogueSkuAlreadyExists
  | RequestFaults

/** A product of a file, with its row. */
export interface SheetProduct {
  readonly row: number
  readonly content: ProductContent
}

/** The order of an export: by sku, code point by code point, capitals before small letters. */
export const compareSkus = (left: string, right: string): number => {
  const others = [...right]
  for (const [at, character] of [...left].entries()) {
    const other = others[at]
    if (other === undefined) return 1
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Products as rows, the header first, in the form that an import reads back unchanged. Equal catalogues give equal rows. */
export const productSheet = (products: ReadonlyArray<ProductContent>): ReadonlyArray<ReadonlyArray<string>> => [
  productColumns,
  ...products.toSorted((left, right) => compareSkus(left.sku, right.sku)).map(toCells)
]

/**
 * The products of a sheet, or every fault in it: nothing is imported unless all of it can be. The header is checked first, then the number of rows,
 * then every cell, and last whether a SKU occurs twice. A fault is at `/rows/<row>/<column>` with the key `Rows[<row>].<Column>`, rows counted as a
 * spreadsheet shows them. Source: Spec, Catalogue operations; Limits; Decisions §11.
 */
export const readProductSheet = (sheet: Sheet): Result.Result<ReadonlyArray<SheetProduct>, ProductImportRefusal> => {
  const [header, ...rows] = sheet.rows
  const columns = columnsOf(header?.cells ?? [])
  if (Result.isFailure(columns)) return Result.fail(columns.failure)
  if (rows.length > mostImportRows) return Result.fail(new CatalogueImportTooManyRows({ limit: mostImportRows }))
  if (sheet.fault !== null) return refused([rowFault(sheet.fault.row, [], sheet.fault.message)])
  if (rows.length === 0) return refused([{ pointer: "/rows", key: "Rows", message: "must have at least one product" }])
  return Result.flatMap(productsOf(rows, columns.success), withoutRepeats)
}

const refused = (faults: ReadonlyArray<Fault>) => Result.fail(new RequestFaults({ faults: faults.slice(0, mostFileFaults) }))

const columnNamed = new Map<string, ProductColumn>(productColumns.map((column) => [column.toLowerCase(), column]))

/** The header of a file that is no catalogue can be anything, so a refusal names only a few of its columns, shortened. */
const named = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.slice(0, 20).map((name) => shortened(name, 100))

/** The place of every column in the file, whatever their order; columns without a name hold nothing. */
const columnsOf = (cells: ReadonlyArray<string>): Result.Result<ReadonlyMap<number, ProductColumn>, CatalogueImportHeadersInvalid> => {
  const names = cells.map((cell) => cell.trim())
  const places = new Map<number, ProductColumn>()
  for (const [at, name] of names.entries()) {
    const column = columnNamed.get(name.toLowerCase())
    if (column !== undefined) places.set(at, column)
  }
  const found = [...places.values()]
  const missing = productColumns.filter((column) => !found.includes(column))
  const repeated = productColumns.filter((column) => found.indexOf(column) !== found.lastIndexOf(column))
  const unexpected = names.filter((name, at) => name !== "" && !places.has(at))
  return [...missing, ...repeated, ...unexpected].length === 0
    ? Result.succeed(places)
    : Result.fail(new CatalogueImportHeadersInvalid({ expected: productColumns, missing, unexpected: named(unexpected), repeated }))
}

const productsOf = (
  rows: ReadonlyArray<SheetRow>,
  columns: ReadonlyMap<number, ProductColumn>
): Result.Result<ReadonlyArray<SheetProduct>, RequestFaults> => {
  const products: Array<SheetProduct> = []
  const faults: Array<Fault> = []
  for (const row of rows) {
    const read = productOf(row, columns)
    if (Result.isSuccess(read)) products.push({ row: row.number, content: read.success })
    else faults.push(...read.failure)
    // Stryker disable next-line ConditionalExpression,EqualityOperator: only quicker; `refused` lists no more of them either way.
    if (faults.length >= mostFileFaults) break
  }
  return faults.length === 0 ? Result.succeed(products) : refused(faults)
}

const withoutRepeats = (
  products: ReadonlyArray<SheetProduct>
): Result.Result<ReadonlyArray<SheetProduct>, CatalogueSkuAlreadyExists> => {
  const rowsOf = Map.groupBy(products, ({ content }) => content.sku)
  const [repeated] = [...rowsOf].filter(([, of]) => of.length > 1)
  if (repeated === undefined) return Result.succeed(products)
  const [sku, of] = repeated
  return Result.fail(new CatalogueSkuAlreadyExists({ sku, productId: null, rows: of.map(({ row }) => row) }))
}

const inPascalCase = (name: PropertyKey): string => String(name).slice(0, 1).toUpperCase() + String(name).slice(1)

const rowFault = (row: number, within: Path, message: string): Fault => ({
  pointer: pointerOf(["rows", row, ...within]),
  key: [`Rows[${row}]`, ...within.filter((segment) => typeof segment === "string").map(inPascalCase)].join("."),
  message
})

const longestShown = 60

const shortened = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text
}

/** What is wrong with a cell, and the cell's content. */
const withContent = (message: string, cell: string): string => (cell === "" ? message : `${message}; the cell has: ${shortened(cell, longestShown)}`)

/** The path within a row that a JSON pointer names; the columns' names need no unescaping. */
const pathOf = (pointer: string): Path =>
  pointer.split("/").slice(1).map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))

const productOf = (
  row: SheetRow,
  columns: ReadonlyMap<number, ProductColumn>
): Result.Result<ProductContent, ReadonlyArray<Fault>> => {
  const stray = row.cells.find((cell, at) => cell !== "" && !columns.has(at))
  if (stray !== undefined) {
    const message = "has more cells than the header has columns; a text or number with the separator in it needs quotes"
    return Result.fail([rowFault(row.number, [], withContent(message, stray))])
  }
  const cells = Object.fromEntries([...columns].map(([at, column]) => [column, row.cells[at] ?? ""])) as ProductCells
  return Result.mapError(fromCells(cells), ({ faults }) =>
    faults.map(({ message, pointer }) => {
      const path = pathOf(pointer)
      return rowFault(row.number, path, withContent(message, cells[path[0] as ProductColumn] ?? ""))
    }))
}
