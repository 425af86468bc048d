import * as NodeStream from "@effect/platform-node/NodeStream"
import { workbookMediaType, type WorkbookHead, writeCsv, writeWorkbook } from "@overa/adapter-spreadsheets"
import type { SheetCell } from "@overa/domain"
import { Effect, Stream } from "effect"
import type { Reply } from "../http/Reply.ts"

/** A workbook, written while it is being sent. */
export const sentWorkbook = Effect.fnUntraced(function*<E, R>(fileName: string, workbook: Stream.Stream<Uint8Array, E, R>) {
  const reply: Reply = {
    _tag: "File",
    bytes: yield* NodeStream.toReadable(workbook),
    mediaType: workbookMediaType,
    fileName: `${fileName}.xlsx`,
    inline: false
  }
  return reply
})

/** Rows as a workbook, written while they are being read. */
export const workbookReply = <E, R>(fileName: string, head: WorkbookHead, rows: Stream.Stream<ReadonlyArray<ReadonlyArray<SheetCell>>, E, R>) =>
  sentWorkbook(fileName, writeWorkbook(head, rows))

const csvReply = (fileName: string, bytes: Extract<Reply, { readonly _tag: "File" }>["bytes"]): Reply => ({
  _tag: "File",
  bytes,
  mediaType: "text/csv; charset=utf-8",
  fileName: `${fileName}.csv`,
  inline: false
})

/** With a byte-order mark, so that Excel reads the letters. */
const byteOrderMark = "\uFEFF"
const dialect = { delimiter: ",", newline: "\r\n" } as const

/** Rows as CSV, the header among them. */
export const csvFile = (fileName: string, rows: ReadonlyArray<ReadonlyArray<string>>): Reply => csvReply(fileName, byteOrderMark + writeCsv(rows, dialect))

/** Rows as CSV for a spreadsheet whose decimal sign is the comma. */
export const semicolonCsv = (fileName: string, rows: ReadonlyArray<ReadonlyArray<string>>): Reply =>
  csvReply(fileName, byteOrderMark + writeCsv(rows, { delimiter: ";", newline: "\r\n" }))

/** Rows as CSV, written while they are being read. */
export const csvStream = Effect.fnUntraced(function*<E, R>(
  fileName: string,
  head: ReadonlyArray<string>,
  rows: Stream.Stream<ReadonlyArray<ReadonlyArray<string>>, E, R>
) {
  const text = Stream.concat(Stream.succeed(byteOrderMark + writeCsv([head], dialect)), Stream.map(rows, (some) => writeCsv(some, dialect)))
  return csvReply(fileName, yield* NodeStream.toReadable(text))
})
