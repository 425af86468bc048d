import { foldText } from "../search/foldText.ts"
import type { Sheet, SheetRow } from "../spreadsheets/Sheet.ts"

/** Folded headings of Shopify's exports; those of its newer files come second. */
const shopify = {
  handle: ["handle", "url handle"],
  title: ["title"],
  price: ["variant price", "price"],
  published: ["published", "published on online store"],
  status: ["status"],
  codes: [["variant sku", "sku"], ["variant barcode", "barcode"]],
  options: [["option1 value"], ["option2 value"], ["option3 value"]]
} as const

/** The value of the only option of a product without options. */
const noOption = "Default Title"

/** Products of WooCommerce that have no price of their own: their variations or members are sold. */
const woocommerceParents = new Set(["variable", "grouped"])

type Cells = ReadonlyArray<string>

const placeIn = (folded: Cells, names: ReadonlyArray<string>): number => folded.findIndex((head) => names.includes(head))

const withCells = (row: SheetRow, changes: ReadonlyArray<readonly [at: number, text: string]>): SheetRow => {
  const cells = [...row.cells]
  for (const [at, text] of changes) if (at !== -1) cells[at] = text
  return { ...row, cells }
}

/** Only the first row of a product has its title, publication and status; a row for each further picture has no price. */
const settleShopify = (rows: ReadonlyArray<SheetRow>, folded: Cells): ReadonlyArray<SheetRow> => {
  const at = (names: ReadonlyArray<string>) => placeIn(folded, names)
  const [handle, title, price, published, status] = [at(shopify.handle), at(shopify.title), at(shopify.price), at(shopify.published), at(shopify.status)]
  const options = shopify.options.map(at).filter((place) => place !== -1)
  const codes = shopify.codes.map(at).filter((place) => place !== -1)
  const settled: Array<SheetRow> = []
  let first: SheetRow | null = null
  for (const row of rows) {
    if (first === null || first.cells[handle] !== row.cells[handle]) first = row
    const { cells } = first
    const inherited = (place: number): string => row.cells[place] || (cells[place] ?? "")
    if ((row.cells[price] ?? "").trim() === "") continue
    const chosen = options.map((place) => row.cells[place] ?? "").filter((value) => value !== "" && value !== noOption)
    const isHidden = status !== -1 && !["", "active"].includes(foldText(inherited(status)).trim())
    settled.push(withCells(row, [
      [title, [cells[title] ?? "", chosen.join(" / ")].filter((part) => part !== "").join(" – ")],
      [published, isHidden ? "false" : inherited(published)],
      // An apostrophe keeps a code's zeros in a spreadsheet and is no part of it.
      ...codes.map((place) => [place, (row.cells[place] ?? "").replace(/^'(?=\d)/, "")] as const)
    ]))
  }
  return settled
}

const settleWoocommerce = (rows: ReadonlyArray<SheetRow>, folded: Cells): ReadonlyArray<SheetRow> => {
  const [type, published] = [folded.indexOf("type"), folded.indexOf("published")]
  return rows.filter(({ cells }) => !foldText(cells[type] ?? "").split(",").some((word) => woocommerceParents.has(word.trim())))
    // A draft is -1, a private product 0.
    .map((row) => row.cells[published]?.trim() === "-1" ? withCells(row, [[published, "0"]]) : row)
}

/**
 * An export of WooCommerce or Shopify with one row for each thing that is sold: rows of products that only gather others, and of pictures, are left out; what
 * only a product's first row says is written into each. Any other sheet is as it was. Rows keep their numbers. Source: Decisions §11.
 */
export const settleShopExport = (sheet: Sheet): Sheet => {
  const [header, ...rows] = sheet.rows
  if (header === undefined) return sheet
  const folded = header.cells.map((head) => foldText(head).trim())
  const has = (...names: ReadonlyArray<string>) => names.every((name) => folded.includes(name))
  if (has("type", "sku", "published", "regular price")) return { ...sheet, rows: [header, ...settleWoocommerce(rows, folded)] }
  const isShopify = placeIn(folded, shopify.handle) !== -1 && placeIn(folded, shopify.price) !== -1 && has("title")
  return isShopify ? { ...sheet, rows: [header, ...settleShopify(rows, folded)] } : sheet
}
