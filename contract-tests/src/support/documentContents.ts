import { BigDecimal } from "effect"
import { Dinars, type DocumentContent, Quantity } from "@overa/domain"

const decimal = BigDecimal.fromStringUnsafe

/** One line of a document, with the facts tests vary. */
export const lineItem = (
  facts: { readonly name?: string; readonly quantity?: string; readonly unitPrice?: string; readonly taxLabels?: ReadonlyArray<string> } = {}
): DocumentContent["items"][number] => ({
  name: facts.name ?? "Кафа",
  unitOfMeasure: "kom",
  quantity: Quantity.make(decimal(facts.quantity ?? "1")),
  unitPrice: Dinars.make(decimal(facts.unitPrice ?? "100")),
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels: facts.taxLabels ?? ["A"],
  originalLineIndex: null
})

/** A sandbox Normal Sale of one coffee for 100 dinars, paid by card, with the given differences. */
export const saleContent = (change: Partial<DocumentContent> = {}): DocumentContent => ({
  invoiceType: "NORMAL",
  transactionType: "SALE",
  clientReference: "order 1",
  cashier: { id: "web", displayName: null },
  buyer: null,
  items: [lineItem()],
  payments: [{ type: "CARD", amount: decimal("100") }],
  commercialFooter: null,
  metadata: null,
  reference: null,
  dateAndTimeOfIssue: null,
  advanceClosing: null,
  esirNumber: "157/1.0",
  preferredPaperFormat: "a4",
  brandingId: null,
  ...change
})
