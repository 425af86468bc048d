import { BigDecimal, DateTime, Result } from "effect"
import { type Payment, PaymentType } from "../documents/Payment.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { totalAmount } from "../money/lineAmount.ts"
import type { Operation } from "../operations/Operation.ts"
import { printedTotalTax } from "../tax/printedTax.ts"
import { JournalExportResultLimitExceeded } from "./errors.ts"

/** `comma` for programs, `semicolon` for the spreadsheets of this country; the latter also get a decimal comma. */
export type CsvDelimiter = "comma" | "semicolon"

/** How many operations one export may hold. Source: Spec, Limits. */
export const journalExportLimit = 10_000

/** Whether so many matching operations may be exported; counting may stop behind the limit. Nothing is cut off silently. */
export const checkExportSize = (matching: number): Result.Result<void, JournalExportResultLimitExceeded> =>
  matching <= journalExportLimit
    ? Result.succeed(undefined)
    : Result.fail(new JournalExportResultLimitExceeded({ limit: journalExportLimit }))

/** An amount of a row, to be written with the decimals of its dialect. */
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
  ...PaymentType.literals.map((type) => ({ name: type, of: paid(type) })),
  { name: "pfrNumber", of: ({ answer }) => answer?.pfr.invoiceNumber ?? null },
  { name: "pfrTime", of: ({ answer }) => answer?.pfr.sdcTime ?? null },
  { name: "pfrTotalAmount", of: ({ answer }) => answer?.pfr.totalAmount ?? null },
  { name: "printedTotalTax", of: ({ answer }) => (answer === null ? null : printedTotalTax(answer.taxes)) },
  { name: "referencePfrNumber", of: ({ content }) => content.reference?.pfrNumber ?? null },
  { name: "verificationUrl", of: ({ answer }) => answer?.pfr.verificationUrl ?? null }
]

// What a spreadsheet would run as a formula, also behind white space and in full width; the apostrophe makes it a text.
const looksLikeFormula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u

const textCell = (text: string): string => {
  const harmless = looksLikeFormula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll("\"", "\"\"")}"` : harmless
}

const amountCell = (amount: BigDecimal.BigDecimal, delimiter: CsvDelimiter): string => {
  const text = amount.scale > 2 ? formatDecimal(amount) : formatDecimal(amount, 2)
  return delimiter === "semicolon" ? text.replace(".", ",") : text
}

const line = (cells: ReadonlyArray<Cell>, delimiter: CsvDelimiter): string =>
  `${
    cells.map((cell) => {
      if (cell === null) return ""
      return typeof cell === "string" ? textCell(cell) : amountCell(cell, delimiter)
    }).join(delimiter === "comma" ? "," : ";")
  }\r\n`

/** The beginning of an export: a byte-order mark, so that spreadsheets read it as UTF-8, and the names of the columns. */
export const journalCsvHead = (delimiter: CsvDelimiter): string => `\uFEFF${line(columns.map((column) => column.name), delimiter)}`

/**
 * One operation of an export, its line end included (RFC 4180). Amounts are positive as signed, also of a refund: the columns
 * `transactionType` and `status` say what they mean. Source: Decisions §5, Journal.
 */
export const journalCsvRow = (operation: Operation, delimiter: CsvDelimiter): string =>
  line(columns.map((column) => column.of(operation)), delimiter)
