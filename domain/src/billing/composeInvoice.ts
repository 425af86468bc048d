import { BigDecimal, DateTime } from "effect"
import { includedDocumentsPerMonth } from "../licensing/licenseGate.ts"
import { roundToPara } from "../money/rounding.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import { belgradeDay } from "../time/belgradeTime.ts"
import type { Invoice, InvoiceBuyer, InvoiceContent, InvoiceIssuer, InvoiceLine, InvoiceNumber } from "./Invoice.ts"
import type { Price, PriceList, Prices } from "./PriceList.ts"
import { type LicenseChange, type LicensedDays, licensedDays } from "./licensedDays.ts"

/** The data of an organization's month for its invoice. */
export interface MonthToBill {
  readonly month: CalendarMonth
  readonly prices: PriceList
  readonly issuer: InvoiceIssuer
  readonly buyer: InvoiceBuyer
  readonly licenseChanges: ReadonlyArray<LicenseChange>
  /** FISCALIZED production documents of the month. */
  readonly documents: number
}

const fee = (kind: InvoiceLine["kind"], price: Price, days: number, ofMonth: number): InvoiceLine => ({
  kind,
  quantity: days,
  daysOfMonth: ofMonth,
  price,
  amount: shareOf(price, days, ofMonth)
})

const linesOf = (prices: Prices, days: LicensedDays, documents: number): ReadonlyArray<InvoiceLine> => {
  const beyond = Math.max(0, documents - includedDocumentsPerMonth)
  const { documentPrice, licenseFee, moduleFees } = prices
  const lines: ReadonlyArray<InvoiceLine> = [
    fee("LICENSE", licenseFee, days.license, days.ofMonth),
    fee("ADVANCE_MODULE", moduleFees.advance, days.modules.advance, days.ofMonth),
    fee("EMAIL_MODULE", moduleFees.email, days.modules.email, days.ofMonth),
    {
      kind: "DOCUMENTS",
      quantity: beyond,
      daysOfMonth: null,
      price: documentPrice,
      amount: BigDecimal.multiply(documentPrice, BigDecimal.fromBigInt(BigInt(beyond)))
    }
  ]
  return lines.filter(({ amount }) => !BigDecimal.isZero(amount))
}

/** Percent of an amount, to the para. */
const percentOf = (amount: BigDecimal.BigDecimal, percent: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  roundToPara(BigDecimal.multiply(BigDecimal.multiply(amount, percent), BigDecimal.make(1n, 2)))

/**
 * An organization's invoice for a month; null if the licence was not in force on any day of it, or if nothing is due. Fees are charged by the day;
 * 600 documents are included even if only a part of the month was licensed; VAT is computed from the sum of the lines.
 */
export const composeInvoice = (given: MonthToBill): InvoiceContent | null => {
  const { buyer, documents, issuer, month, prices } = given
  const days = licensedDays(given.licenseChanges, month)
  const lines = days.license === 0 ? [] : linesOf(prices, days, documents)
  if (lines.length === 0) return null
  const net = BigDecimal.sumAll(lines.map(({ amount }) => amount))
  const vat = percentOf(net, prices.vatRate)
  return {
    month,
    priceListVersion: prices.version,
    issuer,
    buyer,
    documents,
    includedDocuments: includedDocumentsPerMonth,
    lines,
    net,
    vatRate: prices.vatRate,
    vat,
    total: BigDecimal.sum(net, vat)
  }
}

/** The Belgrade day of an invoice's issue, and the day on which its payment is due. */
export const invoiceDays = ({ content, issuedAt }: Invoice): { readonly issuedOn: string; readonly dueOn: string } => {
  const issuedOn = belgradeDay(issuedAt)
  const due = DateTime.add(DateTime.makeUnsafe(`${issuedOn}T12:00:00Z`), { days: content.issuer.paymentDays })
  return { issuedOn, dueOn: belgradeDay(due) }
}

/**
 * `part` of `whole` of an amount of money, to the para, half away from zero. Computed in whole numbers, so that only the one rounding loses digits.
 *
 * @param amount Not negative, at most two decimals.
 * @example shareOf(BigDecimal.fromStringUnsafe("100.00"), 1, 3) // 33.33
 */
export const shareOf = (amount: BigDecimal.BigDecimal, part: number, whole: number): BigDecimal.BigDecimal => {
  const paras = BigDecimal.scale(amount, 2).value
  const of = BigInt(whole)
  return BigDecimal.make((2n * paras * BigInt(part) + of) / (2n * of), 2)
}

/**
 * An invoice's number as it is printed; numbers of one year sort as texts up to 999 999.
 *
 * @example printedNumber({ year: 2027, number: 17 }) // "2027-000017"
 */
export const printedNumber = ({ number, year }: InvoiceNumber): string => `${year}-${String(number).padStart(6, "0")}`

/** The invoice number of a printed one; null for any other text. */
export const readInvoiceNumber = (text: string): InvoiceNumber | null => {
  const parts = /^(20\d{2})-(\d{6,9})$/.exec(text)
  const id = parts === null ? null : { year: Number(parts[1]), number: Number(parts[2]) }
  return id !== null && id.number > 0 && printedNumber(id) === text ? id : null
}
