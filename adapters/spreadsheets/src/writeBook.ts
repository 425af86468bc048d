import type { BookSheet } from "@overa/domain"
import { type Zippable, zipSync } from "fflate"
import { rowOf, sheetEnd, sheetStart } from "./sheetXml.ts"
import { sheetPath, workbookParts } from "./workbookParts.ts"
import { mtime } from "./writeWorkbook.ts"

const encoder = new TextEncoder()

const sheetXml = ({ rows, titles }: BookSheet): string => sheetStart(titles) + rows.map(rowOf).join("") + sheetEnd

/**
 * A workbook (XLSX) of several sheets, whole in memory: for tables of a month, not for exports of any length. Amounts are numbers and dates are dates, so
 * that a spreadsheet sums and sorts them; a text is never a formula. The same sheets give the same bytes.
 */
export const writeBook = (sheets: ReadonlyArray<BookSheet>): Uint8Array => {
  const parts = [
    ...workbookParts(sheets.map(({ name }) => name)),
    ...sheets.map((sheet, at) => [sheetPath(at + 1), sheetXml(sheet)] as const)
  ]
  const files: Zippable = Object.fromEntries(parts.map(([path, text]) => [path, encoder.encode(text)] as const))
  return zipSync(files, { level: 6, mtime })
}
