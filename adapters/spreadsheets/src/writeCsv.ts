/** How a file is written. */
export interface CsvDialect {
  readonly delimiter: "," | ";"
  readonly newline: "\n" | "\r\n"
}

// Cells that a reader of some dialect could misread without quotes. Most cells have none of these characters, and one look for them is quicker than
// the whole pattern (\s contains the byte-order mark).
const mayNeedQuotes = /[",;\s]/
const needsQuotes = /[",;\t\r\n]|^\uFEFF|^\s|\s$/u
const separatorLine = /^sep=/iu

const isQuoted = (cell: string): boolean => (mayNeedQuotes.test(cell) && needsQuotes.test(cell)) || separatorLine.test(cell)

const written = (cell: string): string => (isQuoted(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell)

/** Rows as CSV, each with its line end; equal rows give equal text. Why no library writes it: docs/adr/0080. */
export const writeCsv = (rows: ReadonlyArray<ReadonlyArray<string>>, dialect: CsvDialect): string =>
  rows.map((row) => row.map(written).join(dialect.delimiter) + dialect.newline).join("")
