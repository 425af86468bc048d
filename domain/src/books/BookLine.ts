import { BigDecimal, Option } from "effect"
import { isTurnoverType } from "../documents/isTurnoverType.ts"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { PaymentType } from "../documents/LineItem.ts"
import { turnoverReceipt } from "../journal/turnoverParts.ts"
import { belgradeLocalTime } from "../time/belgradeTime.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import type { BookDocument } from "./BookDocument.ts"

/** Which sheet of a month's book a document belongs to. */
export type BookKind = "TURNOVER" | "COPY" | "PROFORMA" | "TRAINING" | "REJECTED"

/** The column of a VAT return: the general or the special rate, no tax at all, or a tax that is no VAT of it (the sandbox's rates). */
export type VatColumn = "GENERAL" | "SPECIAL" | "WITHOUT" | "OTHER"

/** What of a document is taxed under one set of labels. Amounts are exact, to four decimals, and negative where it is a refund: `base + tax = gross`. */
export interface BookPart {
  /** One label, or several of one item separated by `, `. */
  readonly labels: string
  /** The signed rate, of several labels their sum; null where the answer tells none. */
  readonly rate: BigDecimal.BigDecimal | null
  readonly column: VatColumn
  readonly base: BigDecimal.BigDecimal
  readonly tax: BigDecimal.BigDecimal
  readonly gross: BigDecimal.BigDecimal
}

/** A document as a line of a month's book. */
export interface BookLine {
  readonly kind: BookKind
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** Null for what was rejected. */
  readonly number: string | null
  /** When it was signed, or received where it was rejected: Belgrade local time, `2026-11-25T03:42:45`. */
  readonly at: string
  readonly premiseId: string
  readonly clientReference: string
  readonly originalNumber: string | null
  readonly buyerId: string | null
  readonly cashier: string
  readonly parts: ReadonlyArray<BookPart>
  /** A null type is what was applied from advances. */
  readonly payments: ReadonlyArray<{ readonly type: PaymentType | null; readonly amount: BigDecimal.BigDecimal }>
  /** The V-PFR's own codes of a rejection. */
  readonly rejection: string | null
}

const kindOf = ({ content: { invoiceType }, status }: BookDocument): BookKind | null => {
  if (status === "REJECTED") return "REJECTED"
  if (status !== "FISCALIZED") return null
  return isTurnoverType(invoiceType) ? "TURNOVER" : invoiceType
}

type Taxes = NonNullable<BookDocument["answer"]>["taxes"]

const taxesOf = ({ answer }: BookDocument, labels: string): Taxes =>
  labels.split(", ").flatMap((label) => answer?.taxes.find((tax) => tax.label === label) ?? [])

const rateOf = (taxes: Taxes): BigDecimal.BigDecimal | null => taxes.length === 0 ? null : BigDecimal.sumAll(taxes.map(({ rate }) => rate))

/** The names of the categories as the tax authority configures them in production (Decisions §1). */
const columns: Readonly<Record<string, VatColumn>> = { "О-ПДВ": "GENERAL", "П-ПДВ": "SPECIAL" }

const columnOf = (taxes: Taxes): VatColumn => {
  const taxed = taxes.filter(({ rate }) => !BigDecimal.isZero(rate))
  if (taxed.length === 0) return "WITHOUT"
  const [only, ...others] = new Set(taxed.map(({ category }) => columns[category] ?? "OTHER"))
  return others.length > 0 ? "OTHER" : only ?? "OTHER"
}

type Shares = NonNullable<ReturnType<typeof turnoverReceipt>>["parts"]

/** The money of a document as the turnover divides it, whatever its kind; nothing where no V-PFR signed it. */
const sharesOf = (document: BookDocument): Shares =>
  turnoverReceipt({ ...document, content: { ...document.content, invoiceType: "NORMAL" } })?.parts ?? []

const partsOf = (document: BookDocument, shares: Shares): ReadonlyArray<BookPart> =>
  [...Map.groupBy(shares, ({ taxLabel }) => taxLabel)].map(([labels, some]) => {
    const gross = BigDecimal.make(some.reduce((sum, { paras }) => sum + paras, 0n), 2)
    const tax = BigDecimal.make(some.flatMap(({ taxes }) => [...taxes.values()]).reduce((sum, amount) => sum + amount, 0n), 4)
    const signed = taxesOf(document, labels)
    return { labels, rate: rateOf(signed), column: columnOf(signed), base: BigDecimal.subtract(gross, tax), tax, gross }
  })

const paymentsOf = (shares: Shares): BookLine["payments"] =>
  [...Map.groupBy(shares, ({ paymentType }) => paymentType)].map(([type, some]) => ({ type, amount: BigDecimal.make(some.reduce((sum, { paras }) => sum + paras, 0n), 2) }))

/** The line of a document; null for one that is neither signed nor rejected. Source: Decisions §5, Reports. */
export const bookLine = (document: BookDocument): BookLine | null => {
  const kind = kindOf(document)
  if (kind === null) return null
  const { answer, businessPremiseId, content, createdAt, rejection } = document
  const shares = sharesOf(document)
  const signedAt = Option.flatMap(Option.fromNullishOr(answer), ({ pfr }) => pfrInstant(pfr.sdcTime))
  return {
    kind,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType,
    number: answer?.pfr.invoiceNumber ?? null,
    at: belgradeLocalTime(Option.getOrElse(signedAt, () => createdAt)),
    premiseId: businessPremiseId,
    clientReference: content.clientReference,
    originalNumber: content.reference?.pfrNumber ?? null,
    buyerId: content.buyer?.id ?? null,
    cashier: content.cashier.id,
    parts: partsOf(document, shares),
    payments: paymentsOf(shares),
    rejection: rejection === null ? null : rejection.items.flatMap(({ codes, property }) => codes.map((code) => `${property}: ${code}`)).join(", ")
  }
}
