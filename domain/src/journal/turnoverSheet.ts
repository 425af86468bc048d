import { PaymentType } from "../documents/Payment.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { guardText } from "../spreadsheets/formulaGuard.ts"
import type { TurnoverGrouping, TurnoverRow } from "./turnover.ts"

/** What a sheet of the turnover is told besides its rows. */
export interface TurnoverSheetOptions {
  /** In the order of the columns. */
  readonly groupBy: ReadonlyArray<TurnoverGrouping>
  readonly premiseName: (id: string) => string
}

const groupHeads = (groupBy: TurnoverSheetOptions["groupBy"]): ReadonlyArray<string> =>
  groupBy.flatMap((grouping) => grouping === "premise" ? ["premise", "premiseName"] : [grouping])

const groupCells = (row: TurnoverRow, { groupBy, premiseName }: TurnoverSheetOptions): ReadonlyArray<string> =>
  groupBy.flatMap((grouping) => {
    const value = row.group[grouping] ?? ""
    return grouping === "premise" ? [guardText(value), guardText(premiseName(value))] : [guardText(value)]
  })

/**
 * The turnover report as rows of cells, the header first: the groupings, then `receipts`, `gross`, `payment.<type>` for every payment type,
 * `advanceApplied`, and `tax.<label>` for every label that occurs. Amounts have a point and two decimals, in dinars; what a row has none of is
 * empty. A text that begins like a formula has an apostrophe before it. Source: Decisions §5, Reports; §11.
 */
export const turnoverSheet = (rows: ReadonlyArray<TurnoverRow>, options: TurnoverSheetOptions): ReadonlyArray<ReadonlyArray<string>> => {
  const labels = [...new Set(rows.flatMap(({ taxes }) => taxes.map(({ label }) => label)))].sort()
  const paid = (row: TurnoverRow, type: PaymentType) => row.payments.find((payment) => payment.type === type)
  const taxed = (row: TurnoverRow, label: string) => row.taxes.find((tax) => tax.label === label)
  const cell = (found: { readonly amount: TurnoverRow["gross"] } | undefined) => found === undefined ? "" : formatDecimal(found.amount, 2)
  return [
    [
      ...groupHeads(options.groupBy),
      "receipts",
      "gross",
      ...PaymentType.literals.map((type) => `payment.${type}`),
      "advanceApplied",
      ...labels.map((label) => guardText(`tax.${label}`))
    ],
    ...rows.map((row) => [
      ...groupCells(row, options),
      String(row.receipts),
      formatDecimal(row.gross, 2),
      ...PaymentType.literals.map((type) => cell(paid(row, type))),
      formatDecimal(row.advanceApplied, 2),
      ...labels.map((label) => cell(taxed(row, label)))
    ])
  ]
}
