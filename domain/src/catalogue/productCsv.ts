import { Result } from "effect"
import { mostFaults } from "../requests/bodySize.ts"
import { type Fault, faultAt, type Path, RequestFaults } from "../requests/Fault.ts"
import { type CsvRow, readCsv, writeCsv } from "./csvTable.ts"
import { CatalogueImportHeadersInvalid, CatalogueImportTooManyRows } from "./errors.ts"
import type { ProductContent } from "./Product.ts"
import { fromCells, type ProductCells, type ProductColumn, productColumns, toCells } from "./productRow.ts"

/** The most products of one import. Source: Spec, Limits. */
export const mostImportRows = 1000

export type ProductImportRefusal = CatalogueImportHeadersInvalid | CatalogueImportTooManyRows | RequestFaults

/** Products as a file that an import takes back unchanged: one row each, ordered by sku, code unit by code unit. */
export const writeProductCsv = (products: ReadonlyArray<ProductContent>): string => {
  const bySku = [...products].sort((left, right) => (left.sku < right.sku ? -1 : Number(left.sku > right.sku)))
  return writeCsv([productColumns, ...bySku.map(toCells)])
}

/**
 * The products of a file, or everything that is wrong with it: nothing is imported unless all of it can be. The header is judged
 * first, then the number of rows, then every cell and that no sku stands twice. A row's faults are at `/rows/<index>/<column>`,
 * counted from 0 behind the header, and name the line of the file. Source: Spec, Catalogue operations; Limits.
 */
export const readProductCsv = (file: string): Result.Result<ReadonlyArray<ProductContent>, ProductImportRefusal> => {
  const table = readCsv(file, mostImportRows + 2)
  const [header, ...rows] = table.rows
  const columns = columnsOf(header?.cells ?? [])
  if (Result.isFailure(columns)) return Result.fail(columns.failure)
  if (rows.length > mostImportRows) return Result.fail(new CatalogueImportTooManyRows({ limit: mostImportRows }))
  if (table.fault !== null) {
    const { line, message } = table.fault
    return Result.fail(new RequestFaults({ faults: [faultAt(["rows", rows.length], `${message} (line ${line} of the file)`)] }))
  }
  if (rows.length === 0) return Result.fail(new RequestFaults({ faults: [faultAt(["rows"], "must have at least one product")] }))
  return productsOf(rows, columns.success)
}

const columnNamed = new Map<string, ProductColumn>(productColumns.map((column) => [column.toLowerCase(), column]))

/** Of a file that is no catalogue a header can be anything: a refusal names a few of its columns, shortened. */
const named = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.slice(0, 20).map((name) => name.slice(0, 100))

/** The place of every column in the file, whatever their order; columns without a name are nobody's. */
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
  return missing.length + repeated.length + unexpected.length === 0
    ? Result.succeed(places)
    : Result.fail(new CatalogueImportHeadersInvalid({ expected: productColumns, missing, unexpected: named(unexpected), repeated }))
}

const productsOf = (
  rows: ReadonlyArray<CsvRow>,
  columns: ReadonlyMap<number, ProductColumn>
): Result.Result<ReadonlyArray<ProductContent>, RequestFaults> => {
  const products: Array<ProductContent> = []
  const faults: Array<Fault> = []
  const lineOfSku = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const read = productOf(row, index, columns)
    if (Result.isSuccess(read)) products.push(read.success)
    else faults.push(...read.failure)
    const sku = row.cells[skuAt(columns)] ?? ""
    const line = lineOfSku.get(sku)
    if (line === undefined) lineOfSku.set(sku, row.line)
    else if (sku !== "") faults.push(rowFault(row, index, ["sku"], `repeats the sku of line ${line}`))
  }
  return faults.length === 0
    ? Result.succeed(products)
    : Result.fail(new RequestFaults({ faults: faults.slice(0, mostFaults) }))
}

const skuAt = (columns: ReadonlyMap<number, ProductColumn>): number => [...columns].find(([, column]) => column === "sku")?.[0] ?? 0

const rowFault = (row: CsvRow, index: number, within: Path, message: string): Fault =>
  faultAt(["rows", index, ...within], `${message} (line ${row.line} of the file)`)

/** The place within a row that a pointer tells; the columns' names need no unescaping. */
const pathOf = (pointer: string): Path =>
  pointer.split("/").slice(1).map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))

const productOf = (
  row: CsvRow,
  index: number,
  columns: ReadonlyMap<number, ProductColumn>
): Result.Result<ProductContent, ReadonlyArray<Fault>> => {
  const strays = row.cells.filter((cell, at) => cell !== "" && !columns.has(at))
  if (strays.length > 0) {
    return Result.fail([rowFault(row, index, [], "has more cells than the header has columns; a cell with a separator needs quotes")])
  }
  const entries = [...columns].map(([at, column]) => [column, row.cells[at] ?? ""] as const)
  const product = fromCells(Object.fromEntries(entries) as ProductCells)
  return Result.mapError(product, ({ faults }) =>
    faults.map((fault) => rowFault(row, index, pathOf(fault.pointer), fault.message)))
}
