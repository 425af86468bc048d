import { stringify } from "csv-stringify/sync"

/** How a file is written. */
export interface CsvDialect {
  readonly delimiter: "," | ";"
  readonly newline: "\n" | "\r\n"
}

// Where a reader of any dialect could misunderstand a cell without quotes.
const needsQuotes = /[",;\t\r\n]|^\uFEFF|^\s|\s$|^sep=/iu

/** Rows as CSV, each with its line end; equal rows give equal text. */
export const writeCsv = (rows: ReadonlyArray<ReadonlyArray<string>>, dialect: CsvDialect): string =>
  stringify(rows.map((row) => [...row]), { delimiter: dialect.delimiter, record_delimiter: dialect.newline, quoted_match: needsQuotes })
