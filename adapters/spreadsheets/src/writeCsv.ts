/** How a file is written. */
export interface CsvDialect {
  readonly delimiter: "," | ";"
  readonly newline: "\n" | "\r\n"
}

// Cells that a reader of some dialect could misread without quotes.
const needsQuotes = /[",;\t\r\n]|^\uFEFF|^\s|\s$|^sep=/iu

const written = (cell: string): string => (needsQuotes.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell)

/** Rows as CSV, each with its line end; equal rows give equal text. Why no library writes it: docs/adr/0080. */
export const writeCsv = (rows: ReadonlyArray<ReadonlyArray<string>>, dialect: CsvDialect): string =>
  rows.map((row) => row.map(written).join(dialect.delimiter) + dialect.newline).join("")
