import { foldText } from "../search/foldText.ts"
import type { Sheet, SheetRow } from "../spreadsheets/Sheet.ts"
import { labelSeparator } from "./Product.ts"
import { type ProductColumn, productColumns } from "./productRow.ts"

/** Headings that people and shop programs (WooCommerce, Shopify, Odoo) give the columns, folded: in either script and case. The first ones are the surest. */
const headings: Readonly<Record<ProductColumn, ReadonlyArray<string>>> = {
  sku: ["sku", "variant sku", "internal reference", "default_code", "sifra", "sifra artikla", "sifra proizvoda", "artikal", "code", "id"],
  name: ["name", "title", "naziv", "naziv artikla", "naziv proizvoda", "ime", "proizvod", "opis"],
  gtin: ["gtin", "gtin, upc, ean, or isbn", "variant barcode", "ean", "barkod", "bar kod", "bar-kod", "barcode"],
  unitOfMeasure: ["unitofmeasure", "unit of measure", "uom_id", "jm", "j.m.", "jedinica mere", "jed. mere", "jedinica", "unit"],
  grossUnitPrice: ["grossunitprice", "regular price", "variant price", "sales price", "list_price", "cena", "cena sa porezom", "cena sa pdv", "cena sa pdv-om", "mpc", "maloprodajna cena", "prodajna cena", "price"],
  taxLabels: ["taxlabels", "poreska oznaka", "poreske oznake", "oznaka poreza", "poreska stopa", "porez", "pdv", "tax"],
  isActive: ["isactive", "published", "published on online store", "aktivan", "aktivno", "u prodaji", "active"]
}

/** The columns that a file may leave out: without a barcode a product has none, and one that is not said to be inactive is active. */
const left = { gtin: "", isActive: "true" } as const
const isLeftOut = (column: ProductColumn): column is keyof typeof left => column in left

const foldedHead = (head: string): string => foldText(head).trim().replace(/\(?(?:rsd|din\.?)\)?$/, "").trimEnd().replace(/,$/, "")

/** The place of the heading that most surely names the column; null where none does. WooCommerce has an `ID` before its `SKU`. */
const placeOf = (column: ProductColumn, folded: ReadonlyArray<string>): number | null => {
  const surest = headings[column].find((heading) => folded.includes(heading))
  return surest === undefined ? null : folded.indexOf(surest)
}

/** Which of our columns each column of a file seems to be, by its heading; null where it is none, or less surely one than another. */
export const guessColumns = (heads: ReadonlyArray<string>): ReadonlyArray<ProductColumn | null> => {
  const folded = heads.map(foldedHead)
  return heads.map((_, at) => productColumns.find((column) => placeOf(column, folded) === at) ?? null)
}

/** Whether a file has exactly the header of an export, in any order. */
export const hasOwnHeader = (heads: ReadonlyArray<string>): boolean => {
  const named = heads.map((head) => head.trim().toLowerCase()).filter((head) => head !== "")
  return named.length === productColumns.length && productColumns.every((column) => named.includes(column.toLowerCase()))
}

/** What every product of a file gets that has no such column: shop programs export neither units nor tax labels. */
export type FixedCells = Readonly<Partial<Record<"taxLabels" | "unitOfMeasure", string>>>
export const fixedColumns = ["unitOfMeasure", "taxLabels"] as const

const fixedOf = (fixed: FixedCells, column: ProductColumn): string | undefined =>
  column === "taxLabels" || column === "unitOfMeasure" ? fixed[column]?.trim() || undefined : undefined

/** What is wrong with the columns that a person has chosen: those that are needed and missing, and those chosen twice. */
export const columnFaults = (columns: ReadonlyArray<ProductColumn | null>, fixed: FixedCells = {}): { readonly missing: ReadonlyArray<ProductColumn>; readonly repeated: ReadonlyArray<ProductColumn> } => ({
  missing: productColumns.filter((column) => !columns.includes(column) && !isLeftOut(column) && fixedOf(fixed, column) === undefined),
  repeated: productColumns.filter((column) => columns.indexOf(column) !== columns.lastIndexOf(column))
})

const spaces = /[\s\u00A0\u202F]+/g
const grouped = { serbian: /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/, english: /^\d{1,3}(?:,\d{3})+\.\d{1,2}$/, millions: /^\d{1,3}(?:\.\d{3}){2,}$/, ambiguous: /^\d{1,3}[.,]\d{3}$/ }

/**
 * A price as people write it: `2.399,99`, `2 399,99`, `2,399.99`, `2399,99 RSD`. Only what has one meaning is read: `1.000` may be a thousand or one, so it
 * gets a question mark, with which no import takes it.
 *
 * @example plainPrice("2.399,99 дин.") // "2399,99"
 */
export const plainPrice = (cell: string): string => {
  const text = cell.replaceAll(spaces, "").replace(/(?:rsd|din\.?|дин\.?|рсд)$/i, "")
  if (grouped.serbian.test(text) || grouped.millions.test(text)) return text.replaceAll(".", "")
  if (grouped.english.test(text)) return text.replaceAll(",", "")
  return grouped.ambiguous.test(text) ? `${text}?` : text
}

const yes = new Set(["da", "tacno", "true", "1", "yes", "aktivan", "aktivno", "x"])
const no = new Set(["ne", "netacno", "false", "0", "no", "neaktivan", "neaktivno"])

const activityOf = (cell: string): string => {
  const folded = foldText(cell).trim()
  if (yes.has(folded)) return "true"
  return no.has(folded) ? "false" : cell
}

const labelsOf = (cell: string): string => cell.split(/[|,;/\s]+/).filter((label) => label !== "").join(labelSeparator)

const cellOf = (column: ProductColumn, cell: string): string => {
  switch (column) {
    case "grossUnitPrice":
      return plainPrice(cell)
    case "isActive":
      return activityOf(cell)
    case "taxLabels":
      return cell.startsWith("=") ? cell : labelsOf(cell)
    default:
      return cell
  }
}

/**
 * A sheet of any program as a product file: the chosen columns under the header of an export, prices, answers and labels as the import reads them. Rows keep
 * their numbers, so that each fault names the row that the person sees. Cells without meaning are unchanged, and the import refuses them. Source: Decisions §11.
 */
export const asProductSheet = (sheet: Sheet, columns: ReadonlyArray<ProductColumn | null>, fixed: FixedCells = {}): Sheet => {
  const [header, ...rows] = sheet.rows
  const written = productColumns.filter((column) => columns.includes(column) || isLeftOut(column) || fixedOf(fixed, column) !== undefined)
  const rowOf = ({ cells, number }: SheetRow): SheetRow => ({
    number,
    cells: [
      ...written.map((column) => {
        const at = columns.indexOf(column)
        if (at !== -1) return cellOf(column, cells[at] ?? "")
        return isLeftOut(column) ? left[column] : cellOf(column, fixedOf(fixed, column) ?? "")
      }),
      // Cells without a heading: the import names the row.
      ...cells.slice(columns.length).filter((cell) => cell !== "")
    ]
  })
  return { rows: [{ number: header?.number ?? 1, cells: written }, ...rows.map(rowOf)], fault: sheet.fault }
}
