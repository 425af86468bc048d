import { formatDecimal, type SheetCell } from "@overa/domain"
import { BigDecimal, Stream } from "effect"
import { Zip, ZipDeflate } from "fflate"
import { workbookParts } from "./workbookParts.ts"

/** The content of a workbook besides its rows. */
export interface WorkbookHead {
  /** The name of its one sheet, at most 31 characters, none of `[]:*?/\`. */
  readonly sheetName: string
  readonly titles: ReadonlyArray<string>
}

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

const cellOf = (cell: SheetCell): string => {
  if (cell === null || cell === "") return "<c/>"
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`
  return typeof cell === "string" ? textCell(cell) : amountCell(cell)
}

const rowOf = (cells: ReadonlyArray<SheetCell>): string => `<row>${cells.map(cellOf).join("")}</row>`

const sheetStart = ({ titles }: WorkbookHead): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${titles.length}" width="20" customWidth="1"/></cols><sheetData><row>${titles.map((title) => textCell(title, 3)).join("")}</row>`

const sheetEnd = "</sheetData></worksheet>"

/** The same rows give the same bytes. A ZIP file has no time before 1980. */
const mtime = new Date(1980, 0, 1, 12)
const encoder = new TextEncoder()

/** A workbook being written: each step gives the bytes that are ready. */
const workbookFile = (head: WorkbookHead) => {
  let ready: Array<Uint8Array> = []
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error
    ready.push(bytes)
  })
  const begin = (path: string): ZipDeflate => {
    const file = new ZipDeflate(path, { level: 1 })
    file.mtime = mtime
    zip.add(file)
    return file
  }
  const taken = (): ReadonlyArray<Uint8Array> => {
    const bytes = ready
    ready = []
    return bytes
  }
  for (const [path, text] of workbookParts(head.sheetName)) begin(path).push(encoder.encode(text), true)
  const sheet = begin("xl/worksheets/sheet1.xml")
  sheet.push(encoder.encode(sheetStart(head)))
  return {
    add: (rows: ReadonlyArray<ReadonlyArray<SheetCell>>): ReadonlyArray<Uint8Array> => {
      sheet.push(encoder.encode(rows.map(rowOf).join("")))
      return taken()
    },
    end: (): ReadonlyArray<Uint8Array> => {
      sheet.push(encoder.encode(sheetEnd), true)
      zip.end()
      return taken()
    }
  }
}

/**
 * Rows as a workbook (XLSX) of one sheet, written while they arrive, so that it needs no more memory than one batch. A text is a text cell, which no
 * spreadsheet runs as a formula; an amount is a number with two decimals, or four where it has more than two. Media type: `workbookMediaType`.
 *
 * @example
 * const { ids, labels } = yield* selectForExport(tenant, filter) // refuses more than 10,000 documents
 * const rows = Stream.map(exportedLines(tenant, ids), (lines) => lines.map(journalWorkbookRow(labels)))
 * const bytes = writeWorkbook({ sheetName: "Журнал", titles: journalSheetHead(labels) }, rows)
 */
export const writeWorkbook = <E, R>(
  head: WorkbookHead,
  rows: Stream.Stream<ReadonlyArray<ReadonlyArray<SheetCell>>, E, R>
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const file = workbookFile(head)
    const body = Stream.flatMap(rows, (some) => Stream.fromIterable(file.add(some)))
    return Stream.concat(body, Stream.suspend(() => Stream.fromIterable(file.end())))
  })

export const workbookMediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
