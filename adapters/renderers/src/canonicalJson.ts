import {
  type BuyerDetails,
  type DocumentContent,
  formatDecimal,
  lineAmount,
  type LineItem,
  printedTax,
  printedTotalTax,
  type Receipt,
  type SignedTax,
  totalTax
} from "@overa/domain"
import { BigDecimal, DateTime } from "effect"

/** A JSON number written from its exact text, never through a float. */
type RawNumber = object
type Json = string | number | boolean | null | RawNumber | ReadonlyArray<Json> | { readonly [name: string]: Json }

declare global {
  interface JSON {
    /** ECMAScript proposal JSON.parse source text access, in V8 since 11.4: text written into the JSON unchanged. */
    rawJSON(text: string): object
  }
}

const exact = (value: BigDecimal.BigDecimal): RawNumber => JSON.rawJSON(formatDecimal(value))

/** Absent members are left out, so that a part copied from here is a valid request (Decisions §10). */
const present = (members: { readonly [name: string]: Json | undefined }): { readonly [name: string]: Json } => {
  const kept: Record<string, Json> = {}
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}

/** Exactly a refund item's fields; on a sale or a copy the index is the line's own (Decisions §6; Spec, Refunds). */
const refundItem = (item: LineItem, index: number): Json =>
  present({
    originalLineIndex: item.originalLineIndex ?? index,
    name: item.name,
    unitOfMeasure: item.unitOfMeasure,
    quantity: exact(item.quantity),
    unitPrice: exact(item.unitPrice),
    unitPriceBeforeDiscount: item.unitPriceBeforeDiscount === null ? null : exact(item.unitPriceBeforeDiscount),
    gtin: item.gtin,
    catalogProductId: item.catalogProductId,
    taxLabels: [...item.taxLabels]
  })

const tax = (signed: SignedTax): Json => ({
  label: signed.label,
  category: signed.category,
  categoryType: signed.categoryType,
  rate: exact(signed.rate),
  amount: exact(signed.amount),
  printedAmount: exact(printedTax(signed))
})

const buyerDetails = (details: BuyerDetails | null): Json =>
  details === null ? null : present({ ...details, resolvedAt: DateTime.formatIso(details.resolvedAt) })

const advanceClosing = (content: DocumentContent): Json => {
  const closing = content.advanceClosing
  return closing === null ? null : {
    lastAdvanceNumber: closing.lastAdvanceNumber,
    lastAdvanceTime: closing.lastAdvanceTime,
    totalAdvance: exact(closing.totalAdvance),
    taxOnAdvance: exact(closing.taxOnAdvance),
    remaining: exact(closing.remaining)
  }
}

const metadata = (content: DocumentContent): Json => {
  if (content.metadata === null) return null
  const entries = Object.entries(content.metadata)
  return Object.fromEntries(entries.map(([key, value]) => [key, BigDecimal.isBigDecimal(value) ? exact(value) : value]))
}

const pfr = ({ answer }: Receipt): Json =>
  present({
    ...answer.pfr,
    totalAmount: exact(answer.pfr.totalAmount),
    totalTax: answer.pfr.totalTax === null ? null : exact(answer.pfr.totalTax)
  })

/** The document as requested, stored and signed, for programs. Its schema: `docs/canonical-json.schema.json`. */
export const canonicalJson = (receipt: Receipt): string => {
  const { answer, operation } = receipt
  const { content } = operation
  const { taxes } = answer
  const document = present({
    id: operation.id,
    taxpayerId: operation.taxpayerId,
    businessPremiseId: operation.businessPremiseId,
    environment: operation.environment,
    clientReference: content.clientReference,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType,
    esirNumber: content.esirNumber,
    cashier: present({ ...content.cashier }),
    buyer: content.buyer === null ? null : present({ ...content.buyer }),
    buyerDetails: buyerDetails(operation.buyerDetails),
    reference: content.reference === null ? null : present({ ...content.reference }),
    dateAndTimeOfIssue: content.dateAndTimeOfIssue === null ? null : DateTime.formatIso(content.dateAndTimeOfIssue),
    items: content.items.map(refundItem),
    lines: content.items.map((item) => ({ amount: exact(lineAmount(item)) })),
    payments: content.payments.map(({ amount, type }) => ({ type, amount: exact(amount) })),
    taxes: taxes.map(tax),
    totalAmount: exact(answer.pfr.totalAmount),
    totalTax: exact(totalTax(taxes)),
    // The receipt prints the sum of amounts already rounded to the para (V-PFR §6.3), which may differ from the exact sum.
    printedTotalTax: exact(printedTotalTax(taxes)),
    advanceClosing: advanceClosing(content),
    commercialFooter: content.commercialFooter,
    metadata: metadata(content),
    pfr: pfr(receipt),
    createdAt: DateTime.formatIso(operation.createdAt)
  })
  return `${JSON.stringify(document, null, 2)}\n`
}
