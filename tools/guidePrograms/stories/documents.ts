import type { Story, Value } from "../Story.ts"
import { buyer, cashier, line, place, readLabel, sale, saleBody } from "./requestParts.ts"

const advance = (amount: number, type: string): Value => ({
  cashier, items: [{ name: "10: Аванс ({label})", quantity: 1, unitPrice: amount, taxLabels: ["{label}"] }], payments: [{ type, amount }]
})
const aCase = { advanceCaseId: "{advances.id}" }

const advances: Story = {
  guide: "advances",
  about: "A closing whose outcome is not known is waited for: the program goes on when the final sale is signed.",
  prints: "FISCALIZED\n84000\n36000\nCLOSED",
  steps: [
    ...readLabel,
    { call: { name: "advances", operation: "openAdvanceCase", body: { ...place, clientReference: "{order}", buyer }, key: "shop-of-zora/{order}/case" } },
    { call: { name: "paid", operation: "addAdvancePayment", path: aCase, body: advance(36000, "CARD"), key: "shop-of-zora/{order}/advance/1" } },
    { say: "{paid.current?.status}" },
    { call: { name: "transferred", operation: "addAdvancePayment", path: aCase, body: advance(48000, "WIRE_TRANSFER"), key: "shop-of-zora/{order}/advance/2" } },
    { say: "{transferred.totalAdvance}" },
    { take: "latest", from: "transferred.current", otherwise: "The transfer has no document" },
    { call: { name: "cancelled", operation: "cancelAdvanceSale", path: aCase, body: { advanceSaleId: "{latest.id}", cashier, buyer }, key: "shop-of-zora/{order}/cancel/advance/2" } },
    { say: "{cancelled.totalAdvance}" },
    {
      call: {
        name: "closed", operation: "closeAdvanceCase", path: aCase,
        body: { cashier, items: [line("Орман по мери", 1, 120000)], remainingPayments: [{ type: "CASH", amount: 84000 }] }, key: "shop-of-zora/{order}/closing"
      }
    },
    { say: "{closed.state}" }
  ]
}

const refund = (quantity: Value, type: string, amount: number): Value => ({
  ...place, clientReference: "{order}", original: { source: "SVC", fiscalDocumentId: "{receipt.id}" }, cashier, buyer,
  items: [quantity], payments: [{ type, amount }]
})

const refunds: Story = {
  guide: "refunds",
  about: "The second refund takes what is left, in cash, so that it has a copy to sign; a third one is refused.",
  prints: "33.33\n66.66 COPY\nREFUND_CUMULATIVE_QUANTITY_EXCEEDED\nCOPY",
  steps: [
    ...readLabel,
    sale("receipt", [line("Чарапе", 3, 33.33, "пар")], 99.99),
    { note: "One pair comes back. The item is what the service answers, with a smaller quantity." },
    { call: { name: "sold", operation: "readRefundable", path: { fiscalDocumentId: "{receipt.id}" } } },
    { take: "item", from: "sold.lines.0?.item", otherwise: "Nothing is left to refund" },
    { call: { name: "first", operation: "refundSale", body: refund({ "...": "{item}", quantity: 1 }, "CARD", 33.33), key: "shop-of-zora/{order}/refund/1" } },
    { say: "{first.refund.pfr.totalAmount}" },
    { call: { name: "left", operation: "readRefundable", path: { fiscalDocumentId: "{receipt.id}" } } },
    { take: "rest", from: "left.lines.0?.item", otherwise: "Nothing is left to refund" },
    { call: { name: "second", operation: "refundSale", body: refund("{rest}", "CASH", 66.66), key: "shop-of-zora/{order}/refund/2" } },
    { say: "{second.refund.pfr.totalAmount} {second.cashRefundCopy?.invoiceType}" },
    { refused: { operation: "refundSale", body: refund("{item}", "CARD", 99.99), key: "shop-of-zora/{order}/refund/3" } },
    { call: { name: "copy", operation: "issueCopy", path: { fiscalDocumentId: "{receipt.id}" }, body: { cashier }, key: "shop-of-zora/{order}/copy/1" } },
    { say: "{copy.invoiceType}" }
  ]
}

const proforma: Story = {
  guide: "proforma-and-training",
  about: "The offer, its refund, and what a second refund is answered.",
  prints: "COMPLETED\nCOMPLETED\nPROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED",
  steps: [
    ...readLabel,
    { make: "content", value: { ...place, clientReference: "{order}", cashier, items: [line("Плакар", 1, 120000)], payments: [{ type: "WIRE_TRANSFER", amount: 120000 }] } },
    { call: { name: "offer", operation: "issueProformaTraining", body: { invoiceType: "PROFORMA", transactionType: "SALE", "...": "{content}" }, key: "shop-of-zora/{order}/offer" } },
    { say: "{offer.status}" },
    { make: "reference", value: { source: "SVC", fiscalDocumentId: "{offer.document.id}" } },
    { call: { name: "withdrawn", operation: "issueProformaTraining", body: { invoiceType: "PROFORMA", transactionType: "REFUND", "...": "{content}", buyer, reference: "{reference}" }, key: "shop-of-zora/{order}/offer-refund" } },
    { say: "{withdrawn.status}" },
    { refused: { operation: "issueProformaTraining", body: { invoiceType: "PROFORMA", transactionType: "REFUND", "...": "{content}", buyer, reference: "{reference}" }, key: "shop-of-zora/{order}/offer-refund-again" } }
  ]
}

const dryRun: Story = {
  guide: "dry-run",
  about: "A label that the premise does not have (here one of production) is refused with the code that the sale itself would have.",
  prints: "2400\nTAX_LABEL_NOT_CURRENT",
  steps: [
    ...readLabel,
    { call: { name: "preview", operation: "dryRunFiscalDocument", body: saleBody([line("Чарапе", 2, 1200, "пар")], 2400) } },
    { say: "{preview.totalAmount}" },
    { refused: { operation: "dryRunFiscalDocument", body: saleBody([{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 1200, taxLabels: ["Ђ"] }], 2400) } }
  ]
}

const elsewhere: Story = {
  guide: "coming-from-elsewhere",
  about: "The copy of a receipt that the former ESIR issued: its number and time are those on the paper.",
  prints: "COPY TESTTEST-TESTTEST-11389",
  steps: [
    ...readLabel,
    {
      call: {
        name: "copy", operation: "issueFiscalDocument", key: "shop-of-zora/{order}/copy",
        body: {
          ...place, clientReference: "{order}", invoiceType: "COPY", transactionType: "SALE", cashier, items: [line("Чарапе", 1, 450, "пар")], payments: [{ type: "CARD", amount: 450 }],
          reference: { source: "EXTERNAL", pfrNumber: "TESTTEST-TESTTEST-11389", pfrTime: "2026-08-29T12:00:00+02:00", invoiceType: "NORMAL", transactionType: "SALE" }
        }
      }
    },
    { say: "{copy.invoiceType} {copy.reference?.pfrNumber}" }
  ]
}

export const documents: ReadonlyArray<Story> = [advances, refunds, proforma, dryRun, elsewhere]
