import { BigDecimal, DateTime } from "effect"
import { Dinars, type ExpectedAnswer, Quantity } from "@overa/domain"
import { signerModulus, verificationRoot } from "./verificationVectors.ts"

export const decimal = BigDecimal.fromStringUnsafe
export const line = {
  name: "Sport-100 Helmet, Blue",
  unitOfMeasure: null,
  quantity: Quantity.make(decimal("2")),
  unitPrice: Dinars.make(decimal("34.23")),
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels: ["A"],
  originalLineIndex: null
}
export const vat = { label: "A", category: "VAT", categoryType: 0, rate: decimal("9") } as const
/** The request behind the real answer. */
export const sale: ExpectedAnswer = {
  jid: "YJLQTEQR",
  taxRates: { groupId: 5, validFrom: DateTime.makeUnsafe("2021-12-19T23:00:00Z"), rates: [vat] },
  content: {
    invoiceType: "NORMAL",
    transactionType: "SALE",
    clientReference: "order 1",
    cashier: { id: "123456789", displayName: null },
    buyer: { id: "RS34564565", optionalField: "567546" },
    items: [line],
    payments: [{ type: "CASH", amount: decimal("68.46") }],
    commercialFooter: null,
    metadata: null,
    reference: null,
    dateAndTimeOfIssue: null,
    advanceClosing: null,
    esirNumber: "POS2017/998",
    preferredPaperFormat: "a4",
    brandingId: null
  }
}
export const facts = {
  submittedAt: DateTime.makeUnsafe("2023-06-06T11:21:14Z"),
  verificationRoot,
  signerModulus: (jid: string) => (jid === "YJLQTEQR" ? signerModulus : undefined)
}
