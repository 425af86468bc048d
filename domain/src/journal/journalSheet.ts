import { BigDecimal, Result } from "effect"
import { type Payment, PaymentType } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import { guardText, type SheetCell } from "../spreadsheets/Sheet.ts"
import { printedTotalTax } from "../tax/taxByLabel.ts"
import { JournalExportResultLimitExceeded } from "./errors.ts"
import type { JournalLine } from "./JournalLine.ts"

/** How many operations one export may hold. Source: Spec, Limits. */
export const journalExportLimit = 10_000

/** Refuses an export of more operations than the limit; nothing is cut off silently. `matching` may stop counting once it is above the limit. */
export const checkExportSize = (matching: number): Result.Result<void, JournalExportResultLimitExceeded> =>
  matching <= journalExportLimit
    ? Result.succeed(undefined)
    : Result.fail(new JournalExportResultLimitExceeded({ limit: journalExportLimit }))

/** A line has no counts. */
export type LineCell = Exclude<SheetCell, number>

interface Column {
  readonly name: string
  readonly of: (line: JournalLine) => LineCell
}

const paid = (type: PaymentType) => ({ payments }: JournalLine): LineCell => {
  let sum: BigDecimal.BigDecimal | null = null
  for (const payment of payments as ReadonlyArray<Payment>) {
    if (payment.type === type) sum = sum === null ? payment.amount : BigDecimal.sum(sum, payment.amount)
  }
  return sum
}

const columns: ReadonlyArray<Column> = [
  { name: "id", of: (line) => line.id },
  { name: "createdAt", of: (line) => line.createdAt },
  { name: "updatedAt", of: (line) => line.updatedAt },
  { name: "status", of: (line) => line.status },
  { name: "failureCode", of: (line) => line.failureCode },
  { name: "taxpayerId", of: (line) => line.taxpayerId },
  { name: "businessPremiseId", of: (line) => line.businessPremiseId },
  { name: "clientReference", of: (line) => line.clientReference },
  { name: "invoiceType", of: (line) => line.invoiceType },
  { name: "transactionType", of: (line) => line.transactionType },
  { name: "cashierId", of: (line) => line.cashierId },
  { name: "buyerId", of: (line) => line.buyerId },
  { name: "buyerName", of: (line) => line.buyerName },
  { name: "totalAmount", of: (line) => line.totalAmount },
  ...PaymentType.literals.map((type) => ({ name: `payment.${type}`, of: paid(type) })),
  { name: "pfrNumber", of: ({ receipt }) => receipt?.pfrNumber ?? null },
  { name: "pfrTime", of: ({ receipt }) => receipt?.pfrTime ?? null },
  { name: "pfrTotalAmount", of: ({ receipt }) => receipt?.totalAmount ?? null },
  { name: "printedTotalTax", of: ({ receipt }) => (receipt === null ? null : printedTotalTax(receipt.taxes)) },
  { name: "referencePfrNumber", of: (line) => line.referencePfrNumber },
  { name: "verificationUrl", of: ({ receipt }) => receipt?.verificationUrl ?? null }
]

const taxOf = (label: string): Column => ({
  name: `tax.${label}`,
  of: ({ receipt }) => receipt?.taxes.find((tax) => tax.label === label)?.amount ?? null
})

const columnsWith = (labels: ReadonlyArray<string>): ReadonlyArray<Column> => [...columns, ...labels.map(taxOf)]

const cellText = (cell: LineCell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return guardText(cell)
  return formatDecimal(cell, 2)
}

/** The names of an export's columns; the last ones are the amounts of tax by label. Source: Decisions §11. */
export const journalSheetHead = (labels: ReadonlyArray<string>): ReadonlyArray<string> => columnsWith(labels).map(({ name }) => name)

/**
 * Documents as rows of a workbook: the columns of the CSV export, cells by kind. Texts are written unchanged, because a workbook marks each cell that
 * is a text. Source: Decisions §11.
 */
export const journalWorkbookRow = (labels: ReadonlyArray<string>) => {
  const all = columnsWith(labels)
  return (line: JournalLine): ReadonlyArray<LineCell> => all.map((column) => column.of(line))
}

/**
 * Writes documents as rows of a CSV export, cell by cell. Amounts have a point and are positive as signed, also those of a refund: the columns
 * `transactionType` and `status` tell the difference. Source: Decisions §5, Journal; Decisions §11.
 */
export const journalSheetRow = (labels: ReadonlyArray<string>) => {
  const all = columnsWith(labels)
  return (line: JournalLine): ReadonlyArray<string> => all.map((column) => cellText(column.of(line)))
}
