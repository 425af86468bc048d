import { DocumentStatus, FiscalDocumentId, formatDecimal, type FoundDocument, InvoiceType, type JournalFilter, TransactionType } from "@overa/domain"
import { BigDecimal, DateTime, Option, Schema } from "effect"
import { documentId } from "./documentId.ts"

/** Where a page of an arranged list begins. */
export interface FoundPlace {
  /** The documents of the list were created up to then: later ones would push others from one page to the next. */
  readonly until: DateTime.Utc
  /** The last document that was shown, as it was then: it may have changed since. */
  readonly last: FoundDocument
}

/** Up to the year 9999. */
const Instant = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799_999 }))
const Id = Schema.String.check(Schema.makeFilter((text: string) => documentId(text) === text))
const Amount = Schema.String.check(Schema.isPattern(/^-?\d{1,15}\.\d{2,4}$/))
const Written = Schema.Tuple([Instant, Instant, Id, DocumentStatus, InvoiceType, TransactionType, Schema.NullOr(Schema.String), Schema.String, Amount])

/** The place as a text of an address. */
export const encodeFoundPlace = ({ last, until }: FoundPlace): string => {
  const written: typeof Written.Type = [
    until.epochMilliseconds, last.createdAt.epochMilliseconds, last.id, last.status, last.invoiceType, last.transactionType, last.pfrNumber, last.clientReference, formatDecimal(last.amount, 2)
  ]
  return Buffer.from(JSON.stringify(written)).toString("base64url")
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString())
  } catch {
    return undefined // JSON.parse has no other way to say "no JSON"
  }
}

const instantOf = (millis: number): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(millis))

/** The place that a text of an address names; null where it names none, which is the first page. */
export const decodeFoundPlace = (text: string): FoundPlace | null => {
  const read = Option.getOrNull(Schema.decodeUnknownOption(Written)(jsonOf(text)))
  if (read === null) return null
  const [until, createdAt, id, status, invoiceType, transactionType, pfrNumber, clientReference, amount] = read
  const last = { id: FiscalDocumentId.make(id), createdAt: instantOf(createdAt), status, invoiceType, transactionType, pfrNumber, clientReference, amount: BigDecimal.fromStringUnsafe(amount) }
  return { until: instantOf(until), last }
}

/** The filter without documents that were created later. */
export const createdUntil = (filter: JournalFilter, until: DateTime.Utc): JournalFilter => {
  const before = DateTime.add(until, { milliseconds: 1 })
  return { ...filter, created: { ...filter.created, to: filter.created.to === null ? before : DateTime.min(filter.created.to, before) } }
}
