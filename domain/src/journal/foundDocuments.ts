import { BigDecimal, DateTime } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import { isTurnoverType } from "../documents/isTurnoverType.ts"
import { totalAmount } from "../money/rounding.ts"
import type { Operation } from "../operations/Operation.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { compareInJournal } from "./JournalCursor.ts"

/** What a search needs of each document that it found, to sum and to arrange them. */
export interface FoundDocument {
  readonly id: FiscalDocumentId
  readonly createdAt: DateTime.Utc
  readonly status: DocumentStatus
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly pfrNumber: string | null
  readonly clientReference: string
  /** Of the lines, as the list shows it: refunds have a minus (`shownAmount`). */
  readonly amount: BigDecimal.BigDecimal
}

/** The amount of a document as a person reads it: what a refund gave back has a minus. */
export const shownAmount = (transactionType: TransactionType, amount: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  transactionType === "REFUND" ? BigDecimal.negate(amount) : amount

export const foundDocumentOf = ({ answer, content, createdAt, id, status }: Pick<Operation, "answer" | "content" | "createdAt" | "id" | "status">): FoundDocument => ({
  id,
  createdAt,
  status,
  invoiceType: content.invoiceType,
  transactionType: content.transactionType,
  pfrNumber: answer?.pfr.invoiceNumber ?? null,
  clientReference: content.clientReference,
  amount: shownAmount(content.transactionType, totalAmount(content.items))
})

/** Receipts and amounts of one side. */
interface FoundSide {
  readonly receipts: number
  readonly amount: BigDecimal.BigDecimal
}

/** The sum of what was found. Normal and Advance receipts have amounts; `others` are copies, proforma, training and what is no receipt. */
export interface SumOfFound {
  readonly sales: FoundSide
  /** Not positive. */
  readonly refunds: FoundSide
  readonly net: BigDecimal.BigDecimal
  readonly others: number
}

const isCounted = ({ invoiceType, status }: FoundDocument): boolean => status === "FISCALIZED" && isTurnoverType(invoiceType)

const sideOf = (documents: ReadonlyArray<FoundDocument>): FoundSide => ({ receipts: documents.length, amount: BigDecimal.sumAll(documents.map(({ amount }) => amount)) })

export const sumOfFound = (documents: ReadonlyArray<FoundDocument>): SumOfFound => {
  const counted = documents.filter(isCounted)
  const sales = sideOf(counted.filter(({ transactionType }) => transactionType === "SALE"))
  const refunds = sideOf(counted.filter(({ transactionType }) => transactionType === "REFUND"))
  return { sales, refunds, net: BigDecimal.sum(sales.amount, refunds.amount), others: documents.length - counted.length }
}

/** By what a person arranges what was found. */
export interface FoundOrder {
  readonly by: "created" | "number" | "kind" | "reference" | "amount" | "status"
  readonly descending: boolean
}

const texts = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

/** The counter at the end of a number is compared as a number: 9 comes before 10. */
const numbers = (one: string | null, other: string | null): number => {
  const partsOf = (number: string | null): readonly [string, number] => {
    const at = number?.lastIndexOf("-") ?? -1
    return [number?.slice(0, at) ?? "", Number(number?.slice(at + 1) ?? -1)]
  }
  const [[oneElement, oneCounter], [otherElement, otherCounter]] = [partsOf(one), partsOf(other)]
  return texts(oneElement, otherElement) || oneCounter - otherCounter
}

const comparedBy: Readonly<Record<FoundOrder["by"], (one: FoundDocument, other: FoundDocument) => number>> = {
  created: (one, other) => -compareInJournal(one, other),
  number: (one, other) => numbers(one.pfrNumber, other.pfrNumber),
  kind: (one, other) => texts(one.invoiceType, other.invoiceType) || texts(one.transactionType, other.transactionType),
  reference: (one, other) => texts(one.clientReference, other.clientReference),
  amount: (one, other) => BigDecimal.Order(one.amount, other.amount),
  status: (one, other) => texts(one.status, other.status)
}

/**
 * What was found in an order; equal documents stand latest first. With `last` it is what stands behind that document, also where the document is no longer
 * found: pages made so repeat none and leave none out, as long as neither what the list is arranged by nor what it is searched by changes of a document.
 */
export const arranged = (documents: ReadonlyArray<FoundDocument>, { by, descending }: FoundOrder, last: FoundDocument | null = null): ReadonlyArray<FoundDocument> => {
  const compare = (one: FoundDocument, other: FoundDocument): number => (descending ? -1 : 1) * comparedBy[by](one, other) || compareInJournal(one, other)
  return documents.filter((document) => last === null || compare(document, last) > 0).toSorted(compare)
}
