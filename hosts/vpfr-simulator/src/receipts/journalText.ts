import { type CivilTime, journalTimeText } from "../belgradeTime.ts"
import { divideRounded, formatSerbian } from "../exactDecimal.ts"
import type { InvoiceRequest, RequestedItem } from "../protocol/InvoiceRequest.ts"
import type { TaxItem } from "../taxes/taxItems.ts"
import { centred, endingIn, hardWrapped, keyAndValue, width, wordWrapped } from "./journalLines.ts"
import { type JournalWords, journalWords, type Language } from "./journalWords.ts"

/**
 * `centred` is how receipts have looked since about 2024, `left` the form before, whose long lines are not wrapped, `keyed` the sandbox of 2022 (V-PFR §8.1; published
 * receipts).
 */
export const headerForms = ["centred", "left", "keyed"] as const
export type HeaderForm = (typeof headerForms)[number]

/** The facts a journal is printed from. */
export interface JournalContent {
  readonly language: Language
  readonly headerForm: HeaderForm
  readonly seller: {
    readonly tin: string
    readonly businessName: string
    readonly locationName: string
    readonly address: string
    readonly district: string
  }
  readonly request: Omit<InvoiceRequest, "omitQRCodeGen" | "omitTextualRepresentation">
  /** Hundredths of a dinar. */
  readonly totalAmount: bigint
  readonly taxItems: ReadonlyArray<TaxItem>
  readonly sdcTime: CivilTime
  readonly invoiceNumber: string
  /** With its extension, `8652/11389ПП`. */
  readonly invoiceCounter: string
}

const doubleRule = "=".repeat(width)
const rule = "-".repeat(width)

const money = (hundredths: bigint): string => formatSerbian(hundredths, 2)

/** Only Normal and Advance receipts are fiscal (V-PFR §8.1). */
const isFiscal = (content: JournalContent): boolean =>
  content.request.invoiceType === "Normal" || content.request.invoiceType === "Advance"

const header = (content: JournalContent, words: JournalWords): ReadonlyArray<string> => {
  const { address, businessName, district, locationName, tin } = content.seller
  const facts = [tin, businessName, locationName, address, district]
  if (content.headerForm === "left") return facts
  if (content.headerForm === "centred") return facts.flatMap(wordWrapped).map((line) => centred(line))
  return facts.flatMap((fact, index) => keyAndValue(words.seller[index] ?? "", fact))
}

const optionalLine = (key: string, value: string | null): ReadonlyArray<string> =>
  value === null ? [] : keyAndValue(key, value)

const identification = ({ request }: JournalContent, words: JournalWords): ReadonlyArray<string> => [
  ...optionalLine(words.cashier, request.cashier),
  ...optionalLine(words.buyer, request.buyerId),
  ...optionalLine(words.buyerCostCenter, request.buyerCostCenterId),
  ...optionalLine(words.posNumber, request.invoiceNumber),
  ...optionalLine(words.posTime, request.dateAndTimeOfIssue && journalTimeText(request.dateAndTimeOfIssue.civil)),
  ...optionalLine(words.referenceNumber, request.referentDocumentNumber),
  ...optionalLine(words.referenceTime, request.referentDocumentDT && journalTimeText(request.referentDocumentDT.civil))
]

/** No decimals when whole, else exactly three. */
const quantityText = (thousandths: bigint): string =>
  thousandths % 1000n === 0n ? formatSerbian(thousandths / 1000n, 0) : formatSerbian(thousandths, 3)

/** Refunds have a minus on the line total and nowhere else. */
const itemLines = (item: RequestedItem, isRefund: boolean): ReadonlyArray<string> => [
  ...hardWrapped(`${item.name} (${item.labels.join(", ")})`),
  endingIn([
    [money(item.unitPrice), 13],
    [quantityText(item.quantity), 24],
    [money(isRefund ? -item.totalAmount : item.totalAmount), width]
  ])
]

const roundedTax = (tax: TaxItem): bigint => divideRounded(tax.amount, 100n)

const taxLine = (tax: TaxItem): string =>
  endingIn([
    [tax.label, tax.label.length],
    [tax.categoryName, 17],
    [tax.categoryType === 2 ? `${formatSerbian(BigInt(tax.rate), 2)}RSD` : `${formatSerbian(BigInt(tax.rate), 2)}%`, 26],
    [money(roundedTax(tax)), width]
  ])

const amounts = (content: JournalContent, words: JournalWords): ReadonlyArray<string> => {
  const isRefund = content.request.transactionType === "Refund"
  return [
    words.items,
    doubleRule,
    words.itemHead,
    ...content.request.items.flatMap((item) => itemLines(item, isRefund)),
    rule,
    ...keyAndValue(isRefund ? words.totalRefund : words.total, money(content.totalAmount)),
    ...content.request.payment.flatMap((payment) => keyAndValue(`${words.paymentTypes[payment.paymentType]}:`, money(payment.amount))),
    doubleRule
  ]
}

const taxes = (content: JournalContent, words: JournalWords): ReadonlyArray<string> => [
  words.taxHead,
  ...content.taxItems.map(taxLine),
  rule,
  // The printed total is the sum of the printed amounts, not the rounded sum (V-PFR §6.3).
  ...keyAndValue(words.totalTax, money(content.taxItems.reduce((sum, tax) => sum + roundedTax(tax), 0n))),
  doubleRule
]

const closing = (content: JournalContent, words: JournalWords): ReadonlyArray<string> => [
  ...keyAndValue(words.sdcTime, journalTimeText(content.sdcTime)),
  ...keyAndValue(words.sdcNumber, content.invoiceNumber),
  ...keyAndValue(words.sdcCounter, content.invoiceCounter),
  doubleRule
]

/** The textual receipt, forty columns wide, every line ending in CRLF, the last one too (V-PFR §8). */
export const journalText = (content: JournalContent): string => {
  const words = journalWords[content.language]
  const { invoiceType, transactionType } = content.request
  const fiscal = isFiscal(content)
  const kind = `${words.invoiceTypes[invoiceType]} ${words.transactionTypes[transactionType]}`
  const lines = [
    fiscal ? words.fiscalTitle : words.nonFiscalFrame,
    ...header(content, words),
    ...identification(content, words),
    centred(kind, "-"),
    ...amounts(content, words),
    ...(fiscal ? [] : [centred(words.nonFiscalNotice), doubleRule]),
    ...taxes(content, words),
    ...closing(content, words),
    fiscal ? words.fiscalClosing : words.nonFiscalFrame
  ]
  return lines.map((line) => `${line}\r\n`).join("")
}
