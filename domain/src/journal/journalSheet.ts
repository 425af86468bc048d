import { BigDecimal, DateTime, Result } from "effect"
import { type Payment, PaymentType } from "../documents/Payment.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { totalAmount } from "../money/lineAmount.ts"
import type { Operation } from "../operations/Operation.ts"
import { guardText } from "../spreadsheets/formulaGuard.ts"
import { printedTotalTax } from "../tax/printedTax.ts"
import { JournalExportResultLimitExceeded } from "./errors.ts"

/** How many operations one export may hold. Source: Spec, Limits. */
export const journalExportLimit = 10_000

/** Whether so many matching operations may be exported; counting may stop behind the limit. Nothing is cut off silently. */
export const checkExportSize = (matching: number): Result.Result<void, JournalExportResultLimitExceeded> =>
  matching <= journalExportLimit
    ? Result.succeed(undefined)
    : Result.fail(new JournalExportResultLimitExceeded({ limit: journalExportLimit }))

/** What a column has of an operation; an amount is a decimal, so that no text can pass for one. */
type Cell = string | BigDecimal.BigDecimal | null

interface Column {
  readonly name: string
  readonly of: (operation: Operation) => Cell
}

const paid = (type: PaymentType) => ({ content }: Operation): Cell => {
  const payments: ReadonlyArray<Payment> = content.payments.filter((payment) => payment.type === type)
  const [first, ...others] = payments
  return first === undefined ? null : others.reduce((sum, { amount }) => BigDecimal.sum(sum, amount), first.amount)
}

const columns: ReadonlyArray<Column> = [
  { name: "id", of: (operation) => operation.id },
  { name: "createdAt", of: (operation) => DateTime.formatIso(operation.createdAt) },
  { name: "updatedAt", of: (operation) => DateTime.formatIso(operation.updatedAt) },
  { name: "status", of: (operation) => operation.status },
  { name: "failureCode", of: (operation) => operation.failureCode },
  { name: "taxpayerId", of: (operation) => operation.taxpayerId },
  { name: "businessPremiseId", of: (operation) => operation.businessPremiseId },
  { name: "clientReference", of: ({ content }) => content.clientReference },
  { name: "invoiceType", of: ({ content }) => content.invoiceType },
  { name: "transactionType", of: ({ content }) => content.transactionType },
  { name: "cashierId", of: ({ content }) => content.cashier.id },
  { name: "buyerId", of: ({ content }) => content.buyer?.id ?? null },
  { name: "buyerName", of: ({ buyerDetails }) => buyerDetails?.legalName ?? null },
  { name: "totalAmount", of: ({ content }) => totalAmount(content.items) },
  ...PaymentType.literals.map((type) => ({ name: `payment.${type}`, of: paid(type) })),
  { name: "pfrNumber", of: ({ answer }) => answer?.pfr.invoiceNumber ?? null },
  { name: "pfrTime", of: ({ answer }) => answer?.pfr.sdcTime ?? null },
  { name: "pfrTotalAmount", of: ({ answer }) => answer?.pfr.totalAmount ?? null },
  { name: "printedTotalTax", of: ({ answer }) => (answer === null ? null : printedTotalTax(answer.taxes)) },
  { name: "referencePfrNumber", of: ({ content }) => content.reference?.pfrNumber ?? null },
  { name: "verificationUrl", of: ({ answer }) => answer?.pfr.verificationUrl ?? null }
]

const taxOf = (label: string): Column => ({
  name: `tax.${label}`,
  of: ({ answer }) => answer?.taxes.find((tax) => tax.label === label)?.amount ?? null
})

const columnsWith = (labels: ReadonlyArray<string>): ReadonlyArray<Column> => [...columns, ...labels.map(taxOf)]

const cellText = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return guardText(cell)
  return cell.scale > 2 ? formatDecimal(cell) : formatDecimal(cell, 2)
}

/** The names of an export's columns; the last ones are the amounts of tax by label. Source: Decisions §11. */
export const journalSheetHead = (labels: ReadonlyArray<string>): ReadonlyArray<string> => columnsWith(labels).map(({ name }) => name)

/**
 * Writes operations as rows of an export, cell by cell. Amounts have a point and are positive as signed, also of a refund: the
 * columns `transactionType` and `status` say what they mean. Source: Decisions §5, Journal; Decisions §11.
 */
export const journalSheetRow = (labels: ReadonlyArray<string>) => {
  const all = columnsWith(labels)
  return (operation: Operation): ReadonlyArray<string> => all.map((column) => cellText(column.of(operation)))
}
