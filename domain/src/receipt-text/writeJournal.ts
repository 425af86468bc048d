import { BigDecimal } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import type { LineItem } from "../documents/LineItem.ts"
import { signedItemName } from "../documents/signedItemName.ts"
import { formatDecimal, inThousands } from "../money/decimals.ts"
import { lineAmount, roundHalfAwayFromZero, roundToPara, totalAmount } from "../money/rounding.ts"
import { type LabelTax, printedTax, printedTotalTax } from "../tax/taxByLabel.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import {
  cutAtBlanks, cutHard, doubleRule, fiscalFrame, heads, inColumns, inMiddle, invoiceTypeWord, keyAndValue, keys, lineWidth, nonFiscalFrame,
  nonFiscalNotice, notSigned, paymentWord, previewFrame, singleRule, transactionWord
} from "./textLines.ts"
import type { SellerOnReceipt } from "./previewReceipt.ts"

/** What only signing gives; a preview says that it is not signed. */
export interface SigningFacts {
  /** PFR time, in Belgrade local time as the V-PFR writes it. */
  readonly sdcTime: string
  readonly invoiceNumber: string
  /** With its mark, `8652/11389ПП`. */
  readonly invoiceCounter: string
}

/** The facts a receipt's text is composed of. */
export interface JournalFacts {
  readonly environment: Environment
  readonly seller: SellerOnReceipt
  readonly content: Pick<
    DocumentContent,
    "invoiceType" | "transactionType" | "cashier" | "buyer" | "items" | "payments" | "reference" | "dateAndTimeOfIssue" | "esirNumber"
  >
  /** One for each label, in the order of printing. */
  readonly taxes: ReadonlyArray<LabelTax>
  /** Null before signing. */
  readonly signed: SigningFacts | null
}

type Lines = ReadonlyArray<string>

/** `1.234.567,50`: points between thousands, a comma before the decimals. */
const printed = (value: BigDecimal.BigDecimal, decimals: number): string => {
  const [whole = "", fraction] = formatDecimal(roundHalfAwayFromZero(value, decimals), decimals).split(".")
  return fraction === undefined ? inThousands(whole) : `${inThousands(whole)},${fraction}`
}
/** An amount as the receipt writes it: `1.234,50`. */
export const money = (amount: BigDecimal.BigDecimal): string => printed(roundToPara(amount), 2)

/** Without decimals where it is whole, else with exactly three. */
const printedQuantity = (quantity: BigDecimal.BigDecimal): string =>
  printed(quantity, BigDecimal.normalize(quantity).scale <= 0 ? 0 : 3)

const dateAndTime = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}:\d{2}).*$/

/** `08.12.2020. 8:55:23`: the digits of the local time as written, the hour without a leading zero (V-PFR §8.1). */
export const printedTime = (time: string): string =>
  time.replace(dateAndTime, (_, year: string, month: string, day: string, hour: string, rest: string) => `${day}.${month}.${year}. ${Number(hour)}:${rest}`)

const header = ({ address, businessName, district, locationName, tin }: SellerOnReceipt): Lines =>
  [tin, businessName, locationName, address, district].flatMap(cutAtBlanks).map((line) => inMiddle(line))

const ifGiven = (key: string, value: string | null | undefined): Lines =>
  value === null || value === undefined || value === "" ? [] : keyAndValue(key, value)

const identification = ({ buyer, cashier, dateAndTimeOfIssue, esirNumber, reference }: JournalFacts["content"]): Lines => [
  ...ifGiven(keys.cashier, cashier.id),
  ...ifGiven(keys.buyer, buyer?.id),
  ...ifGiven(keys.buyerOptionalField, buyer?.optionalField),
  ...ifGiven(keys.esirNumber, esirNumber),
  ...ifGiven(keys.esirTime, dateAndTimeOfIssue === null ? null : printedTime(belgradeTime(dateAndTimeOfIssue))),
  ...ifGiven(keys.referenceNumber, reference?.pfrNumber),
  ...ifGiven(keys.referenceTime, reference === null ? null : printedTime(reference.pfrTime))
]

/** A refund has a minus before each line's amount and nowhere else. */
const itemLines = (item: LineItem, { content, environment }: JournalFacts): Lines => {
  const amount = lineAmount(item)
  const shown = content.transactionType === "REFUND" ? BigDecimal.negate(amount) : amount
  return [
    ...cutHard(`${signedItemName(item, environment)} (${item.taxLabels.join(", ")})`),
    inColumns([[money(item.unitPrice), 13], [printedQuantity(item.quantity), 24], [money(shown), lineWidth]])
  ]
}

const amounts = (facts: JournalFacts): Lines => {
  const { items, payments, transactionType } = facts.content
  return [
    heads.items,
    doubleRule,
    heads.itemColumns,
    ...items.flatMap((item) => itemLines(item, facts)),
    singleRule,
    ...keyAndValue(transactionType === "REFUND" ? keys.totalRefund : keys.total, money(totalAmount(items))),
    ...payments.flatMap(({ amount, type }) => keyAndValue(`${paymentWord[type]}:`, money(amount))),
    doubleRule
  ]
}

/** A rate per unit is money, every other one a percentage (V-PFR §6.1, §8.1). */
const taxLine = (tax: LabelTax): string =>
  inColumns([
    [tax.label, 1],
    [tax.category, 17],
    [printed(tax.rate, 2) + (tax.categoryType === 2 ? "RSD" : "%"), 26],
    [money(printedTax(tax)), lineWidth]
  ])

const taxTable = (taxes: JournalFacts["taxes"]): Lines => [
  heads.taxColumns,
  ...taxes.map(taxLine),
  singleRule,
  ...keyAndValue(keys.totalTax, money(printedTotalTax(taxes))),
  doubleRule
]

const signingLines = (signed: SigningFacts | null): Lines => [
  ...keyAndValue(keys.pfrTime, signed === null ? notSigned : printedTime(signed.sdcTime)),
  ...keyAndValue(keys.pfrNumber, signed?.invoiceNumber ?? notSigned),
  ...keyAndValue(keys.counter, signed?.invoiceCounter ?? notSigned),
  doubleRule
]

/** A preview is no receipt of whatever type, and its every part says so: printed or cut out, it does not pass as one (docs/adr/0212). */
const frameOf = ({ content: { invoiceType }, signed }: JournalFacts) => {
  const isFiscal = invoiceType === "NORMAL" || invoiceType === "ADVANCE"
  if (signed === null) return { ...previewFrame, notice: true }
  return isFiscal ? { ...fiscalFrame, notice: false } : { ...nonFiscalFrame, notice: true }
}

/**
 * The text of a receipt as the V-PFR writes it: forty columns, every line ended by CRLF. Without `signed`, a preview: its frame, a notice in the middle
 * and the lines of PFR time, number and counter say that it is no receipt; every other letter is the one that will be signed. Pure, so that a shop can
 * show the receipt before the payment, also in a browser.
 *
 * Source: V-PFR §8.1–8.4, in the Serbian Cyrillic that the service asks for; Decisions §14.
 */
export const writeJournal = (facts: JournalFacts): string => {
  const { invoiceType, transactionType } = facts.content
  const frame = frameOf(facts)
  const lines = [
    frame.first,
    ...header(facts.seller),
    ...identification(facts.content),
    inMiddle(`${invoiceTypeWord[invoiceType]} ${transactionWord[transactionType]}`, "-"),
    ...amounts(facts),
    ...(frame.notice ? [inMiddle(nonFiscalNotice), doubleRule] : []),
    ...taxTable(facts.taxes),
    ...signingLines(facts.signed),
    frame.last
  ]
  return lines.map((line) => `${line}\r\n`).join("")
}
