/** A row of a CSV file with the line of the file it starts on, counted from 1. */
export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** A file as rows, or the place where it stops being one. */
export type CsvTable =
  | { readonly rows: ReadonlyArray<CsvRow>; readonly fault: null }
  | { readonly rows: ReadonlyArray<CsvRow>; readonly fault: { readonly line: number; readonly message: string } }

/** More cells than a row of any table of ours has; a file of one endless row is read no further. */
const mostCells = 1000

const separators = [",", ";", "\t"] as const

/** What parts the cells of a file: what its `sep=` line says, else the separator its first line has most of. */
const separatorOf = (text: string): { readonly separator: string; readonly start: number; readonly line: number } => {
  const declared = /^sep=(.)(?:\r\n|\n|\r|$)/iu.exec(text)
  if (declared?.[1] !== undefined) return { separator: declared[1], start: declared[0].length, line: 2 }
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ""
  const counts = separators.map((separator) => header.split(separator).length)
  return { separator: separators[counts.indexOf(Math.max(...counts))] ?? ",", start: 0, line: 1 }
}

const isBlank = (cells: ReadonlyArray<string>): boolean => cells.every((cell) => cell === "")

const ends = (text: string, at: number, separator: string): boolean => {
  const character = text.charAt(at)
  return at >= text.length || character === separator || character === "\r" || character === "\n"
}

const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length - 1

interface Cell {
  readonly value: string
  readonly end: number
}

/** A cell in quotes: everything up to the closing quote, two quotes meaning one. Null when it never closes or goes on behind it. */
const quotedCell = (text: string, start: number, separator: string): Cell | null => {
  let from = start + 1
  let value = ""
  for (;;) {
    const quote = text.indexOf("\"", from)
    if (quote < 0) return null
    value += text.slice(from, quote)
    if (text.charAt(quote + 1) !== "\"") return ends(text, quote + 1, separator) ? { value, end: quote + 1 } : null
    value += "\""
    from = quote + 2
  }
}

const bareCell = (text: string, start: number, separator: string): Cell => {
  let end = start
  while (!ends(text, end, separator)) end++
  return { value: text.slice(start, end), end }
}

/**
 * Reads a CSV file as spreadsheets write it: with or without a byte-order mark and a `sep=` line, parted by commas, semicolons or tabs,
 * lines ended in any of the three ways, cells in quotes where needed. Blank rows are skipped. Reading stops behind `mostRows` rows,
 * so that a file far too long costs no more than one a little too long. Source: Spec, Catalogue operations; RFC 4180.
 */
export const readCsv = (file: string, mostRows: number): CsvTable => {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file
  const { separator, start, line: firstLine } = separatorOf(text)
  const rows: Array<CsvRow> = []
  let cells: Array<string> = []
  let at = start
  let line = firstLine
  let rowLine = firstLine
  while (at <= text.length && rows.length < mostRows) {
    const cell = text.charAt(at) === "\"" ? quotedCell(text, at, separator) : bareCell(text, at, separator)
    if (cell === null) return { rows, fault: { line, message: "has a quote that does not close its cell" } }
    cells.push(cell.value)
    line += cell.end - at === cell.value.length ? 0 : linesIn(cell.value)
    at = cell.end + 1
    const rowGoesOn = text.charAt(cell.end) === separator
    if (rowGoesOn && cells.length === mostCells) {
      const header = rows.length === 0 ? [{ line: rowLine, cells }] : rows
      return { rows: header, fault: { line, message: `has more than ${mostCells} cells` } }
    }
    if (rowGoesOn) continue
    if (!isBlank(cells)) rows.push({ line: rowLine, cells })
    if (text.startsWith("\r\n", cell.end)) at++
    cells = []
    line++
    rowLine = line
  }
  return { rows, fault: null }
}

const needsQuotes = /[",;\t\r\n]|^\uFEFF|^\s|\s$/

/** A cell as it is written: in quotes where a reader of any dialect could misunderstand it, and only there. */
const writeCell = (value: string): string => (needsQuotes.test(value) ? `"${value.replaceAll("\"", "\"\"")}"` : value)

/** A CSV file: commas, line feeds, no byte-order mark; equal rows give equal bytes. */
export const writeCsv = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => `${row.map(writeCell).join(",")}\n`).join("")
