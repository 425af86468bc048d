import { type DateTime, Schema } from "effect"
import { atMostDecimals } from "../money/Dinars.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import { CalendarMonth } from "../time/CalendarMonth.ts"
import { Price, VatRate } from "./PriceList.ts"

const Amount = Schema.BigDecimal.check(atMostDecimals(2))

/** The issuer of the invoices: the operator's company, as printed on them. */
export const InvoiceIssuer = Schema.Struct({
  name: Schema.String,
  address: Schema.String,
  city: Schema.String,
  taxIdentifier: Schema.String,
  registrationNumber: Schema.String,
  bankAccount: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** The number of days from the issue of an invoice until its payment is due. */
  paymentDays: Schema.Int,
  /** Printed at the end, for example the reason why no VAT is charged. */
  note: Schema.NullOr(Schema.String)
})
export interface InvoiceIssuer extends Schema.Schema.Type<typeof InvoiceIssuer> {}

/** The payer: the organization, under the company name of its oldest production taxpayer if it has one. */
export const InvoiceBuyer = Schema.Struct({
  organizationName: Schema.String,
  name: Schema.String,
  taxIdentifier: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String)
})
export interface InvoiceBuyer extends Schema.Schema.Type<typeof InvoiceBuyer> {}

/**
 * One line, without VAT. For a fee the quantity is in days of `daysOfMonth` and the price is that of the whole month; otherwise the quantity is in
 * documents.
 */
export const InvoiceLine = Schema.Struct({
  kind: Schema.Literals(["LICENSE", "ADVANCE_MODULE", "EMAIL_MODULE", "DOCUMENTS"]),
  quantity: Schema.Int,
  daysOfMonth: Schema.NullOr(Schema.Int),
  price: Price,
  amount: Amount
})
export interface InvoiceLine extends Schema.Schema.Type<typeof InvoiceLine> {}

/** The content of an invoice, fixed at its issue: nothing is read from elsewhere afterwards. Amounts in dinars. */
export const InvoiceContent = Schema.Struct({
  month: CalendarMonth,
  priceListVersion: Schema.Int,
  issuer: InvoiceIssuer,
  buyer: InvoiceBuyer,
  /** FISCALIZED production documents of the month. */
  documents: Schema.Int,
  includedDocuments: Schema.Int,
  lines: Schema.Array(InvoiceLine),
  net: Amount,
  vatRate: VatRate,
  vat: Amount,
  /** The amount due. */
  total: Amount
})
export interface InvoiceContent extends Schema.Schema.Type<typeof InvoiceContent> {}

/** The number of an invoice in its year, from 1 on without gaps. */
export interface InvoiceNumber {
  readonly year: number
  readonly number: number
}

/** An issued invoice. */
export interface Invoice {
  readonly id: InvoiceNumber
  readonly organizationId: OrganizationId
  readonly issuedAt: DateTime.Utc
  readonly content: InvoiceContent
}

/** The operator's note about an invoice's payment; the latest note is valid. `paidOn` is a Belgrade day, null if the invoice turned out to be unpaid. */
export interface PaymentNote {
  /** 1 for the first note about the invoice. */
  readonly sequence: number
  readonly paidOn: string | null
  readonly notedAt: DateTime.Utc
  readonly actor: string
  readonly reason: string
}

/** An invoice with the latest note about its payment; null where there is none. */
export interface InvoiceEntry {
  readonly invoice: Invoice
  readonly payment: PaymentNote | null
}

/** The Belgrade day on which an invoice was paid; null while it is unpaid. */
export const paidOn = ({ payment }: InvoiceEntry): string | null => payment?.paidOn ?? null
