import { BigDecimal } from "effect"
import type { BookLine, BookPart, VatColumn } from "./BookLine.ts"
import { type BookSums, lineSums, noSums, sumOf } from "./monthBook.ts"

/**
 * Rows of the VAT overview (POPDV) that receipts decide. 3.2: turnover; 3.6: reduction of the base and the VAT by refunds; 3.8: both; 3.9: advances less the
 * advances given back or closed; 3.10: 3.8 and 3.9 together.
 */
export type PopdvRow = "3.2" | "3.6" | "3.8" | "3.9" | "3.10"

/** One row: base and VAT of each column. Turnover without VAT belongs to parts 1 or 2; which of them, the ground of the exemption decides. */
export interface PopdvFigures {
  readonly row: PopdvRow
  readonly columns: Readonly<Record<VatColumn, BookSums>>
}

const vatColumns: ReadonlyArray<VatColumn> = ["GENERAL", "SPECIAL", "WITHOUT", "OTHER"]

const sumsOf = (part: BookPart): BookSums => ({ receipts: 1, base: part.base, tax: part.tax, gross: part.gross })

const figuresOf = (row: PopdvRow, lines: ReadonlyArray<BookLine>): PopdvFigures => {
  const parts = lines.flatMap((line) => line.parts)
  const of = (column: VatColumn): BookSums => sumOf(parts.filter((part) => part.column === column).map(sumsOf))
  return { row, columns: { GENERAL: of("GENERAL"), SPECIAL: of("SPECIAL"), WITHOUT: of("WITHOUT"), OTHER: of("OTHER") } }
}

const together = (row: PopdvRow, all: ReadonlyArray<PopdvFigures>): PopdvFigures => ({
  row,
  columns: Object.fromEntries(vatColumns.map((column) => [column, sumOf(all.map(({ columns }) => columns[column]))])) as PopdvFigures["columns"]
})

/**
 * The rows of the VAT overview from the turnover of a month. The Advance Refund of a closing takes from 3.9 what the final sale has in 3.2, so nothing is
 * taxed twice. Source: VAT law, articles 14, 16, 21 and 46; rulebook on VAT, the overview's part 3.
 */
export const popdvFigures = (lines: ReadonlyArray<BookLine>): ReadonlyArray<PopdvFigures> => {
  const normal = lines.filter(({ invoiceType }) => invoiceType === "NORMAL")
  const sold = figuresOf("3.2", normal.filter(({ transactionType }) => transactionType === "SALE"))
  const given = figuresOf("3.6", normal.filter(({ transactionType }) => transactionType === "REFUND"))
  const turnover = together("3.8", [sold, given])
  const advances = figuresOf("3.9", lines.filter(({ invoiceType }) => invoiceType === "ADVANCE"))
  return [sold, given, turnover, advances, together("3.10", [turnover, advances])]
}

/** A day of a premise in the book of issued receipts. */
export interface DayFigures {
  readonly day: string
  readonly premiseId: string
  readonly firstNumber: string
  readonly lastNumber: string
  readonly all: BookSums
  readonly columns: Readonly<Record<VatColumn, BookSums>>
}

/** The book of issued receipts (KIR) day by day: base and VAT by rate, refunds taken off. Source: VAT law, article 46. */
export const dayFigures = (lines: ReadonlyArray<BookLine>): ReadonlyArray<DayFigures> =>
  [...Map.groupBy(lines, ({ at, premiseId }) => `${at.slice(0, 10)} ${premiseId}`)].toSorted(([one], [other]) => one < other ? -1 : 1).map(([name, some]) => ({
    day: name.slice(0, 10),
    premiseId: name.slice(11),
    firstNumber: some[0]?.number ?? "",
    lastNumber: some.at(-1)?.number ?? "",
    all: some.length === 0 ? noSums : sumOf(some.map(lineSums)),
    columns: figuresOf("3.8", some).columns
  }))

/** A day of the book of a flat-rate taxpayer: its receipts, and the income of them, refunds taken off. */
export interface IncomeDay {
  readonly day: string
  readonly receipts: number
  readonly income: BigDecimal.BigDecimal
}

/** The book of turnover of flat-rate taxpayers (KPO), day by day. Source: income tax law, article 43; rulebook on books of flat-rate taxpayers. */
export const incomeDays = (lines: ReadonlyArray<BookLine>): ReadonlyArray<IncomeDay> =>
  [...Map.groupBy(lines, ({ at }) => at.slice(0, 10))].toSorted(([one], [other]) => one < other ? -1 : 1).map(([day, some]) => ({
    day,
    receipts: some.length,
    income: sumOf(some.map(lineSums)).gross
  }))
