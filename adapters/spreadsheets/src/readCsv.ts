import type { Sheet, SheetRow } from "@overa/domain"
import { CsvError, type Options, parse } from "csv-parse"

/** Larger than any row of our tables; the limit for a quotation mark that is never closed. */
const longestRow = 65_536
const mostCells = 1_000
/** Rows without content between rows with content; each costs the reader as much as any other. */
const mostBlankRows = 2_000

const separators = [",", ";", "\t"] as const

/** The line that tells Excel the separator. A spreadsheet that does not know it may have saved it as a row of its own. */
const separatorLine = /^"?sep=(.)"?(?<filled>[,;\t]*)(?:\r\n|\n|\r|$)/iu

interface Dialect {
  readonly separator: string
  readonly text: string
}

const mostUsed = (text: string): string => {
  const header = /^[^\r\n]*/.exec(text.slice(0, longestRow))?.[0] ?? ""
  const counts = separators.map((separator) => header.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ","
}

/** Whether a byte is a separator or a line end. */
const isBlank = (byte: number | undefined): boolean => byte === 0x2c || byte === 0x0a || byte === 0x0d || byte === 0x3b || byte === 0x09

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Bytes read between two turns of the event loop. */
const bytesOfTurn = 524_288

/** Up to the end of the last row with content: some spreadsheets write a million empty rows after it. */
const withoutTail = async (bytes: Buffer): Promise<Buffer> => {
  let end = bytes.length
  for (; end > 0 && isBlank(bytes[end - 1]); end--) {
    if (end % bytesOfTurn === 0) await nextTurn()
  }
  const ends = [bytes.indexOf(0x0d, end), bytes.indexOf(0x0a, end)].filter((at) => at >= 0)
  return bytes.subarray(0, Math.min(bytes.length, ...ends))
}

/** The separator of the cells of a file: the one of its `sep=` line, else the one that occurs most in its first row. */
const dialectOf = (file: string): Dialect => {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file
  const declared = separatorLine.exec(text.slice(0, longestRow))
  if (declared?.[1] === undefined) return { separator: mostUsed(text), text }
  const rest = text.slice(declared[0].length)
  return { separator: declared.groups?.["filled"] === "" ? declared[1] : mostUsed(rest), text: rest }
}

/** Stops reading a file that has more rows than requested. */
class Enough extends Error {}

/** More rows without content than a real file has between products. */
class TooManyBlankRows extends Error {}

/** A row with more cells than any of our tables has columns. */
class TooManyCells extends Error {}

const faultMessage = (error: unknown): string | null => {
  if (error instanceof TooManyBlankRows) return `follows ${mostBlankRows} rows without content; delete them`
  if (error instanceof TooManyCells) return `has more than ${mostCells} cells`
  if (!(error instanceof CsvError)) return null
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "has a cell whose quotation mark is never closed"
    case "CSV_MAX_RECORD_SIZE":
      return `is longer than ${longestRow} characters; perhaps a quotation mark is never closed`
    default:
      return null
  }
}

const optionsOf = (separator: string, take: (cells: Array<string>) => null): Options<Array<string>> => ({
  delimiter: separator,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  // A quotation mark that neither opens nor closes its cell is an ordinary character (5" pipe).
  relax_quotes: true,
  max_record_size: longestRow,
  cast: (cell, { index }) => {
    if (index >= mostCells) throw new TooManyCells()
    return cell
  },
  on_record: take
})

/** Bytes given to the parser at a time; the worst input of this size takes a few milliseconds. */
const sliceBytes = 16_384

/** Gives a file to the parser in slices and returns to the event loop between them. Rejects with the error that ended the parsing. */
const parseInSlices = (bytes: Buffer, options: Options<Array<string>>): Promise<void> => {
  const parser = parse(options)
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  parser.once("error", reject).once("end", resolve).resume()
  const feed = async (): Promise<void> => {
    for (let at = 0; at < bytes.length && !parser.destroyed; at += sliceBytes) {
      parser.write(bytes.subarray(at, at + sliceBytes))
      await nextTurn()
    }
    if (!parser.destroyed) parser.end()
  }
  void feed()
  return promise
}

/**
 * Reads a CSV file as spreadsheets write it: with or without a byte-order mark and a `sep=` line, separated by commas, semicolons or tabs, lines
 * ended in any of the three ways, also mixed, cells in quotes where needed. Rows without content are left out but counted. Reading stops after
 * `mostRows` rows with content, so that a file far too long costs no more than one that is a little too long. It blocks the event loop for a few
 * milliseconds at a time. Source: Spec, Catalogue operations; RFC 4180.
 */
export const readCsv = async (file: string, mostRows: number): Promise<Sheet> => {
  const { separator, text } = dialectOf(file)
  const rows: Array<SheetRow> = []
  let number = 0
  const take = (cells: ReadonlyArray<string>): null => {
    number += 1
    if (cells.some((cell) => cell !== "")) rows.push({ number, cells })
    else if (number - rows.length > mostBlankRows) throw new TooManyBlankRows()
    if (rows.length >= mostRows) throw new Enough()
    return null
  }
  try {
    // Bytes: a slice of a string could end between the two halves of a character.
    await parseInSlices(await withoutTail(Buffer.from(text)), optionsOf(separator, take))
  } catch (error) {
    if (error instanceof Enough) return { rows, fault: null }
    const message = faultMessage(error)
    if (message === null) throw error
    return { rows, fault: { row: number + 1, message } }
  }
  return { rows, fault: null }
}
