import { PaymentType } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import { guardText, type SheetCell } from "../spreadsheets/Sheet.ts"
import type { SalesAndRefunds } from "./salesAndRefunds.ts"
import type { TurnoverGrouping } from "./turnover.ts"

/** What a sheet of the turnover needs besides its rows. */
export interface TurnoverSheetOptions {
  /** In the order of the columns. */
  readonly groupBy: ReadonlyArray<TurnoverGrouping>
  readonly premiseName: (id: string) => string
  /** The title of a column in the reader's words; its name where left out. */
  readonly titleOf?: (name: string) => string
}

const groupHeads = (groupBy: TurnoverSheetOptions["groupBy"]): ReadonlyArray<string> =>
  groupBy.flatMap((grouping) => grouping === "premise" ? ["premise", "premiseName"] : [grouping])

const groupCells = (row: SalesAndRefunds, { groupBy, premiseName }: TurnoverSheetOptions): ReadonlyArray<SheetCell> =>
  groupBy.flatMap((grouping) => {
    const value = row.group[grouping] ?? null
    return grouping === "premise" ? [value, premiseName(value ?? "")] : [value]
  })

/** The report as rows of cells. */
export interface TurnoverSheet {
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<SheetCell>>
}

/**
 * The turnover report as rows of cells: the groupings, then `sales.receipts`, `sales`, `refunds.receipts`, `refunds` (negative) and `net`, their sum; of the
 * net `payment.<type>` for every payment type, `advanceApplied`, and `tax.<label>` for every label that occurs. Amounts are in dinars; a cell without an
 * amount is empty. Source: Decisions §5, Reports; §11.
 */
export const turnoverSheet = (rows: ReadonlyArray<SalesAndRefunds>, { titleOf = (name) => name, ...options }: TurnoverSheetOptions): TurnoverSheet => {
  const labels = [...new Set(rows.flatMap(({ net }) => net.taxes.map(({ label }) => label)))].sort()
  const paid = ({ net }: SalesAndRefunds, type: PaymentType) => net.payments.find((payment) => payment.type === type)?.amount ?? null
  const taxed = ({ net }: SalesAndRefunds, label: string) => net.taxes.find((tax) => tax.label === label)?.amount ?? null
  return {
    titles: [
      ...groupHeads(options.groupBy),
      "sales.receipts",
      "sales",
      "refunds.receipts",
      "refunds",
      "net",
      ...PaymentType.literals.map((type) => `payment.${type}`),
      "advanceApplied",
      ...labels.map((label) => `tax.${label}`)
    ].map(titleOf),
    rows: rows.map((row) => [
      ...groupCells(row, options),
      row.sales.receipts,
      row.sales.gross,
      row.refunds.receipts,
      row.refunds.gross,
      row.net.gross,
      ...PaymentType.literals.map((type) => paid(row, type)),
      row.net.advanceApplied,
      ...labels.map((label) => taxed(row, label))
    ])
  }
}

const textOf = (cell: SheetCell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return guardText(cell)
  return typeof cell === "number" ? String(cell) : formatDecimal(cell, 2)
}

/**
 * The same as texts of a CSV file, the header first. Amounts have a point and two decimals. A text that begins like a formula gets an apostrophe
 * before it.
 */
export const turnoverCsv = ({ rows, titles }: TurnoverSheet): ReadonlyArray<ReadonlyArray<string>> => [
  titles.map(textOf),
  ...rows.map((cells) => cells.map(textOf))
]
