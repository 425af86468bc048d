import { formatDecimal, type Sheet, type SheetRow } from "@overa/domain"
import { BigDecimal, Option } from "effect"
import { parseXml, unescaped } from "./parseXml.ts"

const mostCells = 1_000
/** The last row and the last column (XFD) of a spreadsheet. */
const [lastRow, lastColumn] = [1_048_576, 16_384]
/** No spreadsheet keeps a longer text in a cell (Excel). */
const longestText = 32_767
/** Of all cells together, as in the longest CSV file (Spec, Limits): a shared text of a small file can stand in any number of cells. */
const mostCharacters = 5_000_000
/** A spreadsheet itself shows no more digits: 2399.99 is stored as 2399.9899999999998. */
const shownDigits = 15

/** The rest of the sheet is not read; the message says of a row what is wrong with it. */
class SheetFault extends Error {
  readonly row: number

  constructor(row: number, message: string) {
    super(message)
    this.row = row
  }
}

/** Stops reading a sheet that has more rows than requested. */
class Enough extends Error {}

const savedAgain = "open the file in Excel or LibreOffice and save it again"

/** The number of a row. Every spreadsheet numbers rows upwards, or not at all: then each is the next one. */
const rowNumber = (written: string | undefined, before: number): number => {
  const number = written === undefined ? before + 1 : /^\d{1,7}$/.test(written) ? Number(written) : 0
  if (number <= before || number > lastRow) throw new SheetFault(before + 1, `has a row number that no row can have there; ${savedAgain}`)
  return number
}

/** The place of a cell in its row, A is 0. Without a reference it is the next one. */
const placeInRow = (reference: string | undefined, next: number, row: number): number => {
  if (reference === undefined) return next
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1] ?? ""
  const at = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  if (at < next || at >= lastColumn) throw new SheetFault(row, `has a cell whose reference no cell can have there; ${savedAgain}`)
  return at
}

/** The numbers that can be a price, a quantity or a code. Any other stays as it is written: 1e400000000 would have as many digits. */
const plausibleNumber = /^[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d{1,2})?$/

/** A stored number with the digits that a spreadsheet shows. */
const numberText = (stored: string): string => {
  const found = plausibleNumber.test(stored) ? Option.getOrNull(BigDecimal.fromString(stored)) : null
  if (found === null) return stored
  const { scale, value } = BigDecimal.normalize(found)
  const digits = String(value < 0n ? -value : value).length
  return formatDecimal(digits <= shownDigits ? found : BigDecimal.round(found, { scale: scale - (digits - shownDigits), mode: "half-from-zero" }))
}

const cellText = (kind: string, stored: string, texts: ReadonlyArray<string>): string => {
  switch (kind) {
    case "s":
      return texts[Number(stored)] ?? ""
    case "b":
      return stored === "1" ? "true" : "false"
    case "n":
      return stored === "" ? "" : numberText(stored)
    default:
      return unescaped(stored)
  }
}

/** The rows of a sheet, built cell by cell. */
class Rows {
  readonly rows: Array<SheetRow> = []
  private readonly mostRows: number
  private number = 0
  private cells: Array<string> = []
  private next = 0
  private characters = 0

  constructor(mostRows: number) {
    this.mostRows = mostRows
  }

  beginRow(written: string | undefined): void {
    this.number = rowNumber(written, this.number)
    ;[this.cells, this.next] = [[], 0]
  }

  /** The place of the next cell. */
  place(reference: string | undefined): number {
    const at = placeInRow(reference, this.next, this.number)
    this.next = at + 1
    return at
  }

  put(at: number, text: string): void {
    if (text === "") return
    if (at >= mostCells) throw new SheetFault(this.number, `has more than ${mostCells} cells`)
    if (text.length > longestText) throw new SheetFault(this.number, `has a cell with more than ${longestText} characters`)
    this.characters += text.length
    if (this.characters > mostCharacters) throw new SheetFault(this.number, `has, with the rows before it, more than ${mostCharacters} characters`)
    while (this.cells.length < at) this.cells.push("")
    this.cells[at] = text
  }

  endRow(): void {
    if (this.cells.length > 0) this.rows.push({ number: this.number, cells: this.cells })
    if (this.rows.length >= this.mostRows) throw new Enough()
  }
}

const parseRows = (xml: string, texts: ReadonlyArray<string>, rows: Rows): void => {
  let [at, kind, stored, isValue] = [0, "n", "", false]
  parseXml(xml, {
    open: (name, attributes) => {
      if (name === "row") rows.beginRow(attributes["r"])
      if (name === "c") [at, kind, stored] = [rows.place(attributes["r"]), attributes["t"] ?? "n", ""]
      isValue = name === "v" || name === "t"
    },
    close: (name) => {
      isValue = false
      if (name === "c") rows.put(at, cellText(kind, stored, texts))
      if (name === "row") rows.endRow()
    },
    text: (text) => {
      if (isValue) stored += text
    }
  })
}

/**
 * The rows of a sheet's XML with the texts of their cells, up to `mostRows` rows with content, or up to a row that no spreadsheet writes: its fault says
 * why. Whoever makes such a file wants the reader to fill the memory, or writes rows that mean something else in every program.
 */
export const readRows = (xml: string, texts: ReadonlyArray<string>, mostRows: number): Sheet => {
  const rows = new Rows(mostRows)
  try {
    parseRows(xml, texts, rows)
  } catch (error) {
    if (error instanceof SheetFault) return { rows: rows.rows, fault: { row: error.row, message: error.message } }
    if (!(error instanceof Enough)) throw error
  }
  return { rows: rows.rows, fault: null }
}
