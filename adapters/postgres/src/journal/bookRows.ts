import { type BookDocument, type Payment, PfrRejection, statusInDoubt, type TurnoverDocument } from "@overa/domain"
import { orUnreadable } from "../rows/orUnreadable.ts"
import { utc } from "../rows/OperationRow.ts"
import { fromStoredJson, readStoredDecimal, type StoredDecimal } from "../rows/storedJson.ts"

// A month's book reads a hundred thousand documents: without the answer's text, and parsed, not validated. Only this service writes the JSON of these
// columns, validated when it was written.

/** The columns of `operations` that a month's book reads. */
export interface BookRow {
  readonly operation_id: string
  readonly created_at: Date
  readonly status: BookDocument["status"]
  readonly premise_id: string
  readonly workflow_id: string | null
  readonly content: string
  readonly late_reference: string | null
  readonly rejection: string | null
  readonly answer_facts: string | null
  readonly in_doubt: boolean
}

export const bookColumns = "operation_id, created_at, status, premise_id, workflow_id, content, late_reference, rejection, answer_facts, in_doubt"

/** A content as it is stored, without the members that neither reports nor books read. */
export interface StoredContent extends Pick<BookDocument["content"], "buyer" | "cashier" | "clientReference" | "invoiceType" | "reference" | "transactionType"> {
  readonly items: ReadonlyArray<{
    readonly quantity: StoredDecimal
    readonly unitPrice: StoredDecimal
    readonly signedAmount?: StoredDecimal
    readonly taxLabels: ReadonlyArray<string>
  }>
  readonly payments: ReadonlyArray<{ readonly type: Payment["type"]; readonly amount: StoredDecimal }>
  readonly advanceClosing: { readonly totalAdvance: StoredDecimal } | null
}

const lineOf = ({ quantity, signedAmount, taxLabels, unitPrice }: StoredContent["items"][number]) => ({
  quantity: readStoredDecimal(quantity),
  unitPrice: readStoredDecimal(unitPrice),
  taxLabels,
  ...(signedAmount === undefined ? {} : { signedAmount: readStoredDecimal(signedAmount) })
})

/** The parts of a stored content that decide the turnover. */
export const turnoverContent = ({ advanceClosing, cashier, invoiceType, items, payments, transactionType }: StoredContent): TurnoverDocument["content"] => ({
  invoiceType,
  transactionType,
  cashier,
  items: items.map(lineOf),
  payments: payments.map(({ amount, type }) => ({ type, amount: readStoredDecimal(amount) as Payment["amount"] })),
  advanceClosing: advanceClosing === null ? null : { totalAdvance: readStoredDecimal(advanceClosing.totalAdvance) }
})

interface StoredFacts {
  readonly pfr: { readonly invoiceNumber: string; readonly sdcTime: string }
  readonly taxes: ReadonlyArray<{ readonly label: string; readonly category: string; readonly categoryType: number; readonly rate: StoredDecimal; readonly amount: StoredDecimal }>
}

const answerOf = (facts: string): NonNullable<BookDocument["answer"]> => {
  const { pfr, taxes } = JSON.parse(facts) as StoredFacts
  return { pfr, taxes: taxes.map(({ amount, category, categoryType, label, rate }) => ({ category, categoryType, label, rate: readStoredDecimal(rate), amount: readStoredDecimal(amount) })) }
}

const readRejection = fromStoredJson(PfrRejection)

const readDocument = (row: BookRow): BookDocument => {
  const content = JSON.parse(row.content) as StoredContent
  const late = row.late_reference === null ? null : JSON.parse(row.late_reference) as BookDocument["content"]["reference"]
  return {
    id: row.operation_id as BookDocument["id"],
    businessPremiseId: row.premise_id as BookDocument["businessPremiseId"],
    createdAt: utc(row.created_at),
    status: row.in_doubt ? statusInDoubt(row.status) : row.status,
    content: { ...turnoverContent(content), clientReference: content.clientReference, reference: late ?? content.reference, buyer: content.buyer },
    rejection: row.rejection === null ? null : readRejection(row.rejection),
    answer: row.answer_facts === null ? null : answerOf(row.answer_facts),
    workflow: row.workflow_id === null ? null : { id: row.workflow_id as NonNullable<BookDocument["workflow"]>["id"] }
  }
}

/** What a book reads of a row's document. Throws `FiscalDocumentUnreadable`. */
export const decodeBookDocument = (row: BookRow): BookDocument => orUnreadable(row.operation_id, () => readDocument(row))
