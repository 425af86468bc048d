import type { SheetCell } from "@overa/domain"
import { Stream } from "effect"
import { Zip, ZipDeflate } from "fflate"
import { rowOf, sheetEnd, sheetStart } from "./sheetXml.ts"
import { sheetPath, workbookParts } from "./workbookParts.ts"

/** The content of a workbook besides its rows. */
export interface WorkbookHead {
  /** The name of its one sheet, at most 31 characters, none of `[]:*?/\`. */
  readonly sheetName: string
  readonly titles: ReadonlyArray<string>
}

/** The same rows give the same bytes. A ZIP file has no time before 1980. */
export const mtime = new Date(1980, 0, 1, 12)
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
  for (const [path, text] of workbookParts([head.sheetName])) begin(path).push(encoder.encode(text), true)
  const sheet = begin(sheetPath(1))
  sheet.push(encoder.encode(sheetStart(head.titles)))
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
