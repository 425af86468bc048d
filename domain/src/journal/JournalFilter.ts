import { BigDecimal, DateTime, Option, Result } from "effect"
import { DocumentStatus } from "../documents/DocumentStatus.ts"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Operation } from "../operations/Operation.ts"
import { type Fault, RequestFaults } from "../requests/Fault.ts"
import { totalAmount } from "../money/rounding.ts"
import { foldText } from "../search/foldText.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { lengthFaults, onlyValue, type QueryTexts, rangeFaults, rangeOf, uuidFaults, valueFaults } from "./queryFields.ts"

/** A stretch of time: from its lower bound, inclusive, up to its upper bound, exclusive; null is unbounded. Source: Spec, Limits. */
export interface TimeRange {
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Whether an instant lies in a range. Times are compared in milliseconds; ranges that meet hold every instant exactly once. */
export const isInRange = (instant: DateTime.Utc, { from, to }: TimeRange): boolean =>
  (from === null || DateTime.isGreaterThanOrEqualTo(instant, from)) && (to === null || DateTime.isLessThan(instant, to))

export const anyTime: TimeRange = { from: null, to: null }

/** Amounts from one to another, both included; null is unbounded. */
export interface AmountRange {
  readonly from: BigDecimal.BigDecimal | null
  readonly to: BigDecimal.BigDecimal | null
}

/** Selects every operation. */
export const noFilter: JournalFilter = {
  taxpayerId: null, businessPremiseId: null, status: null, invoiceType: null, transactionType: null, clientReference: null, pfrNumber: null,
  buyerId: null, cashierId: null, text: null, pfr: anyTime, created: anyTime
}

export const isBounded = ({ from, to }: TimeRange): boolean => from !== null || to !== null

/** Whether a `pfr.sdcTime` lies in a range. What has none is outside of every bounded range. */
export const isSignedIn = (sdcTime: string | null | undefined, range: TimeRange): boolean => {
  if (!isBounded(range)) return true
  const instant = pfrInstant(sdcTime ?? "")
  return Option.isSome(instant) && isInRange(instant.value, range)
}

/** The filter of a journal search. A null field filters nothing; an operation must match all other fields. Source: Decisions §5, Journal. */
export interface JournalFilter {
  readonly taxpayerId: string | null
  readonly businessPremiseId: string | null
  /** Any of these. */
  readonly status: ReadonlyArray<DocumentStatus> | null
  readonly invoiceType: InvoiceType | null
  readonly transactionType: TransactionType | null
  /** These four are compared whole, as they are written. */
  readonly clientReference: string | null
  readonly pfrNumber: string | null
  readonly buyerId: string | null
  readonly cashierId: string | null
  /** Looked for in `searchedTexts` and in the PFR number, anywhere; letter case, script and diacritics are ignored. */
  readonly text: string | null
  /** On `pfr.sdcTime`: a document that is no receipt is outside of every bounded range. */
  readonly pfr: TimeRange
  /** On `createdAt`. */
  readonly created: TimeRange
  /** On the sum of the lines, which is never negative: a refund of 10 has 10. Left out, not null, so that the cursors of other searches stay the same. */
  readonly amount?: AmountRange
}

/** Longest text of each filter, in code points: the bound of the field it is compared with, or of a search (Spec, Limits). */
const longest = { clientReference: 200, pfrNumber: 50, buyerId: 20, cashierId: 50, text: 200 } as const

const filterFaults = (query: QueryTexts): ReadonlyArray<Fault> => [
  ...uuidFaults(query, "taxpayerId"),
  ...uuidFaults(query, "businessPremiseId"),
  ...valueFaults(query, "status", DocumentStatus.literals),
  ...valueFaults(query, "invoiceType", InvoiceType.literals),
  ...valueFaults(query, "transactionType", TransactionType.literals),
  ...Object.entries(longest).flatMap(([name, most]) => lengthFaults(query, name, most)),
  ...rangeFaults(query, "pfrFrom", "pfrTo"),
  ...rangeFaults(query, "createdFrom", "createdTo")
]

const literal = <Value extends string>(text: string | null, values: ReadonlyArray<Value>): Value | null =>
  values.find((value) => value === text) ?? null

/** The statuses asked for, in one order, so that the same question has the same cursors. */
const statusesOf = (query: QueryTexts): ReadonlyArray<DocumentStatus> | null => {
  const asked = query["status"] ?? []
  return asked.length === 0 ? null : DocumentStatus.literals.filter((status) => asked.includes(status))
}

/**
 * The filter of a journal query, or everything wrong with it at once. Parameters of other names are ignored here: each operation decides which ones
 * exist.
 */
export const readJournalFilter = (query: QueryTexts): Result.Result<JournalFilter, RequestFaults> => {
  const faults = filterFaults(query)
  return faults.length > 0 ? Result.fail(new RequestFaults({ faults })) : Result.succeed({
    taxpayerId: onlyValue(query, "taxpayerId")?.toLowerCase() ?? null,
    businessPremiseId: onlyValue(query, "businessPremiseId")?.toLowerCase() ?? null,
    status: statusesOf(query),
    invoiceType: literal(onlyValue(query, "invoiceType"), InvoiceType.literals),
    transactionType: literal(onlyValue(query, "transactionType"), TransactionType.literals),
    clientReference: onlyValue(query, "clientReference"),
    pfrNumber: onlyValue(query, "pfrNumber"),
    buyerId: onlyValue(query, "buyerId"),
    cashierId: onlyValue(query, "cashierId"),
    text: onlyValue(query, "text"),
    pfr: rangeOf(query, "pfrFrom", "pfrTo"),
    created: rangeOf(query, "createdFrom", "createdTo")
  })
}

/** The parts of a content that are searched. */
type SearchedContent = Pick<Operation["content"], "buyer" | "cashier" | "clientReference"> & { readonly items: ReadonlyArray<{ readonly name: string }> }

/** The texts that `text` is looked for in, anywhere; none of them ever changes. Source: Decisions §11. */
export const searchedTexts = (content: SearchedContent): ReadonlyArray<string> =>
  [content.clientReference, content.cashier.id, content.buyer?.id, ...content.items.map((item) => item.name)]
    .filter((text): text is string => typeof text === "string")

/** Whether a document contains a text: anywhere in `searchedTexts` or in its PFR number. */
const hasText = ({ answer, content }: Operation, text: string): boolean => {
  const sought = foldText(text)
  return [...searchedTexts(content), ...(answer === null ? [] : [answer.pfr.invoiceNumber])].some((said) => foldText(said).includes(sought))
}

const hasAmount = ({ content }: Operation, { from, to }: AmountRange): boolean => {
  const amount = totalAmount(content.items)
  return (from === null || BigDecimal.isGreaterThanOrEqualTo(amount, from)) && (to === null || BigDecimal.isLessThanOrEqualTo(amount, to))
}

const asks = (asked: string | null, found: string | null | undefined): boolean => asked === null || asked === found

/** Whether an operation matches the filter. Every store's search must give the same result as this function. */
export const matchesJournalFilter = (filter: JournalFilter, operation: Operation): boolean => {
  const { content, answer } = operation
  return asks(filter.taxpayerId, operation.taxpayerId) && asks(filter.businessPremiseId, operation.businessPremiseId) &&
    (filter.status === null || filter.status.includes(operation.status)) && asks(filter.invoiceType, content.invoiceType) &&
    asks(filter.transactionType, content.transactionType) && asks(filter.clientReference, content.clientReference) &&
    asks(filter.pfrNumber, answer?.pfr.invoiceNumber) && asks(filter.buyerId, content.buyer?.id) &&
    asks(filter.cashierId, content.cashier.id) && isSignedIn(answer?.pfr.sdcTime, filter.pfr) &&
    isInRange(operation.createdAt, filter.created) &&
    (filter.amount === undefined || hasAmount(operation, filter.amount)) &&
    (filter.text === null || hasText(operation, filter.text))
}
