import { type FailureCode, type FiscalDocumentId, type JournalLine, type JournalLineReceipt, type Payment, statusInDoubt } from "@overa/domain"
import { BigDecimal } from "effect"
import { orUnreadable } from "../rows/orUnreadable.ts"
import { decodeAnswer, verificationUrlIn } from "../rows/storedAnswer.ts"
import { readStoredDecimal, type StoredDecimal } from "../rows/storedJson.ts"

// An export of 10,000 documents reads only its columns: decoding and validating whole documents takes ten times as long as finding them. Only this
// service writes the JSON of these columns, validated when it was written.

/** The columns of `operations` that an export reads. */
export interface LineRow {
  readonly operation_id: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly status: JournalLine["status"]
  readonly failure_code: FailureCode | null
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly client_reference: string
  readonly invoice_type: JournalLine["invoiceType"]
  readonly transaction_type: JournalLine["transactionType"]
  readonly cashier_id: string
  readonly buyer_id: string | null
  readonly total_amount: string
  readonly invoice_number: string | null
  readonly pfr_time: string | null
  readonly signed_total: string | null
  readonly content: string
  readonly late_reference: string | null
  readonly buyer_details: string | null
  readonly answer_text: string | null
  readonly answer_facts: string | null
  readonly in_doubt: boolean
}

/** The columns of a `LineRow` that are never long. */
export const shortColumns = `operation_id, created_at, updated_at, status, failure_code, taxpayer_id, premise_id, client_reference, invoice_type,
  transaction_type, cashier_id, buyer_id, total_amount, invoice_number, pfr_time, signed_total, late_reference, buyer_details, in_doubt`

/** The columns of a `LineRow`. */
export const lineColumns = `${shortColumns}, content, answer_text, answer_facts`

interface StoredContent {
  readonly payments: ReadonlyArray<{ readonly type: Payment["type"]; readonly amount: StoredDecimal }>
  readonly reference: { readonly pfrNumber: string } | null
}

interface StoredFacts {
  readonly pfr: { readonly verificationUrl?: string }
  readonly taxes: ReadonlyArray<{ readonly label: string; readonly amount: StoredDecimal }>
}

const paymentsMember = "\"payments\":["

/**
 * Payments and reference of a content, read without its lines and texts. No text can contain a member's name in the searched form, because a
 * quotation mark inside a text is escaped; in the caller's metadata no value is a list, and no object has other members than a decimal's.
 */
const contentOf = (text: string): StoredContent => {
  const from = text.indexOf(paymentsMember)
  if (from < 0 || text.includes("\"reference\":{")) return JSON.parse(text) as StoredContent
  const list = from + paymentsMember.length - 1
  return { payments: JSON.parse(text.slice(list, text.indexOf("]", list) + 1)) as StoredContent["payments"], reference: null }
}

const member = (text: string | null, name: string): string | null =>
  text === null ? null : (JSON.parse(text) as Readonly<Record<string, string>>)[name] ?? null

const receiptOf = (row: LineRow): JournalLineReceipt | null => {
  if (row.answer_text === null || row.answer_facts === null) return null
  const facts = JSON.parse(row.answer_facts) as StoredFacts
  return {
    pfrNumber: row.invoice_number ?? "",
    pfrTime: row.pfr_time ?? "",
    totalAmount: BigDecimal.fromStringUnsafe(row.signed_total ?? ""),
    taxes: facts.taxes.map(({ amount, label }) => ({ label, amount: readStoredDecimal(amount) })),
    verificationUrl: facts.pfr.verificationUrl ?? verificationUrlIn(row.answer_text) ?? decodeAnswer(row.answer_text, row.answer_facts).pfr.verificationUrl
  }
}

const readLine = (row: LineRow): JournalLine => {
  const { payments, reference } = contentOf(row.content)
  const status = row.in_doubt ? statusInDoubt(row.status) : row.status
  return {
    id: row.operation_id as FiscalDocumentId,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status,
    failureCode: status === row.status ? row.failure_code : "OUTCOME_UNKNOWN",
    taxpayerId: row.taxpayer_id as JournalLine["taxpayerId"],
    businessPremiseId: row.premise_id as JournalLine["businessPremiseId"],
    clientReference: row.client_reference,
    invoiceType: row.invoice_type,
    transactionType: row.transaction_type,
    cashierId: row.cashier_id,
    buyerId: row.buyer_id,
    buyerName: member(row.buyer_details, "legalName"),
    totalAmount: BigDecimal.fromStringUnsafe(row.total_amount),
    payments: payments.map(({ amount, type }) => ({ type, amount: readStoredDecimal(amount) as Payment["amount"] })),
    referencePfrNumber: member(row.late_reference, "pfrNumber") ?? reference?.pfrNumber ?? null,
    receipt: receiptOf(row)
  }
}

/** The line of a row, equal to `journalLineOf` of the whole document. Throws `FiscalDocumentUnreadable`. */
export const decodeLine = (row: LineRow): JournalLine => orUnreadable(row.operation_id, () => readLine(row))
