import { formatDecimal, type SheetCell, type SheetDate } from "@overa/domain"
import { BigDecimal } from "effect"

// XML 1.0 cannot contain these; a spreadsheet reads `_x000D_` as the character and `_x005F_` as an underscore. A plain carriage return would be read
// as a line feed.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

const escapedCharacter = (character: string): string => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`

const xmlText = (text: string): string =>
  text.replaceAll(unwritable, escapedCharacter).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const textCell = (text: string, style = 0): string =>
  `<c${style === 0 ? "" : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

/** A spreadsheet keeps fifteen digits of a number; a longer one is written as a text, so that none is lost. */
const mostDigits = 15

const amountCell = (amount: BigDecimal.BigDecimal): string => {
  const { scale, value } = BigDecimal.normalize(amount)
  const digits = String(value < 0n ? -value : value).length + Math.max(-scale, 0)
  return digits > mostDigits ? textCell(formatDecimal(amount, 2)) : `<c s="${amount.scale > 2 ? 2 : 1}"><v>${formatDecimal(amount)}</v></c>`
}

const dayMillis = 86_400_000
/** The day that spreadsheets count from. */
const dayZero = Date.UTC(1899, 11, 30)

/** A spreadsheet has a date as the number of days since its day zero, in local time. */
const dateCell = ({ date }: SheetDate): string => {
  const at = Date.parse(date.length === 10 ? `${date}T00:00:00Z` : `${date}Z`)
  return `<c s="${date.length === 10 ? 4 : 5}"><v>${(at - dayZero) / dayMillis}</v></c>`
}

const cellOf = (cell: SheetCell | SheetDate): string => {
  if (cell === null || cell === "") return "<c/>"
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`
  if (typeof cell === "string") return textCell(cell)
  return "date" in cell ? dateCell(cell) : amountCell(cell)
}

/** One row of a sheet. */
export const rowOf = (cells: ReadonlyArray<SheetCell | SheetDate>): string => `<row>${cells.map(cellOf).join("")}</row>`

/** A sheet up to its first row after the titles, which stay in sight. */
export const sheetStart = (titles: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${titles.length}" width="20" customWidth="1"/></cols><sheetData><row>${titles.map((title) => textCell(title, 3)).join("")}</row>`

export const sheetEnd = "</sheetData></worksheet>"
