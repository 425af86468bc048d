import type { BookSheet } from "@overa/domain"
import { Effect, Stream } from "effect"
import { Zip, ZipDeflate } from "fflate"
import { rowOf, sheetEnd, sheetStart } from "./sheetXml.ts"
import { sheetPath, workbookParts } from "./workbookParts.ts"
import { mtime } from "./writeWorkbook.ts"

const encoder = new TextEncoder()

/** Rows written at once; other work of the process runs before the next ones. */
const rowsAtOnce = 500

/** The texts of a workbook's files, in pieces. */
const pieces = function*(sheets: ReadonlyArray<BookSheet>): Generator<{ readonly path: string; readonly text: string; readonly isLast: boolean }> {
  for (const [path, text] of workbookParts(sheets.map(({ name }) => name))) yield { path, text, isLast: true }
  for (const [at, { rows, titles }] of sheets.entries()) {
    const path = sheetPath(at + 1)
    yield { path, text: sheetStart(titles), isLast: false }
    for (let from = 0; from < rows.length; from += rowsAtOnce) yield { path, text: rows.slice(from, from + rowsAtOnce).map(rowOf).join(""), isLast: false }
    yield { path, text: sheetEnd, isLast: true }
  }
}

/** A file being written: each piece gives the bytes that are ready. */
const zipFile = () => {
  let ready: Array<Uint8Array> = []
  let open: { readonly path: string; readonly file: ZipDeflate } | null = null
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error
    ready.push(bytes)
  })
  const fileAt = (path: string): ZipDeflate => {
    if (open?.path === path) return open.file
    const file = new ZipDeflate(path, { level: 1 })
    file.mtime = mtime
    zip.add(file)
    open = { path, file }
    return file
  }
  const taken = (): Uint8Array => {
    const bytes = Buffer.concat(ready)
    ready = []
    return bytes
  }
  return {
    add: ({ isLast, path, text }: ReturnType<typeof pieces> extends Generator<infer Piece> ? Piece : never): Uint8Array => {
      fileAt(path).push(encoder.encode(text), isLast)
      return taken()
    },
    end: (): Uint8Array => {
      zip.end()
      return taken()
    }
  }
}

/**
 * A workbook (XLSX) of several sheets, written while it is being sent; between two pieces the process serves others. Amounts are numbers and dates are dates, so
 * that a spreadsheet sums and sorts them; a text is never a formula. The same sheets give the same bytes.
 */
export const writeBook = (sheets: ReadonlyArray<BookSheet>): Stream.Stream<Uint8Array> =>
  Stream.suspend(() => {
    const file = zipFile()
    const body = Stream.mapEffect(Stream.fromIterable(pieces(sheets), { chunkSize: 1 }), (piece) => Effect.map(Effect.yieldNow, () => file.add(piece)))
    return Stream.concat(body, Stream.sync(() => file.end())).pipe(Stream.filter((bytes) => bytes.length > 0))
  })

/** The same workbook, whole in memory. */
export const bookBytes = (sheets: ReadonlyArray<BookSheet>): Effect.Effect<Uint8Array> =>
  Effect.map(Stream.runCollect(writeBook(sheets)), (parts) => Buffer.concat([...parts]))
