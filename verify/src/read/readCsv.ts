const quote = '"'

interface Cell {
  readonly text: string
  /** The position after the cell. */
  readonly end: number
}

const quotedCell = (text: string, start: number): Cell => {
  let [value, at] = ["", start + 1]
  for (;;) {
    const close = text.indexOf(quote, at)
    if (close < 0) return { text: value + text.slice(at), end: text.length }
    value += text.slice(at, close)
    if (text[close + 1] !== quote) return { text: value, end: close + 1 }
    value += quote
    at = close + 2
  }
}

const plainCell = (text: string, start: number, delimiter: string): Cell => {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== "\r" && text[end] !== "\n") end += 1
  return { text: text.slice(start, end), end }
}

/** The rows of a CSV file (RFC 4180), with the delimiter that its first row uses; at most `most` rows. */
export const readCsv = (file: string, most: number): ReadonlyArray<ReadonlyArray<string>> => {
  const text = file.replace(/^\uFEFF/, "")
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? ""
  const delimiter = head.split(";").length > head.split(",").length ? ";" : ","
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  for (let at = 0; at < text.length && rows.length < most;) {
    const cell = text[at] === quote ? quotedCell(text, at) : plainCell(text, at, delimiter)
    row.push(cell.text)
    at = cell.end
    if (text[at] === delimiter) at += 1
    else {
      rows.push(row)
      row = []
      while (text[at] === "\r" || text[at] === "\n") at += 1
    }
  }
  return row.length === 0 ? rows : [...rows, row]
}
