import { exampleDocument, exampleSale } from "./exampleDocument.ts"

const item = { ...exampleSale.items[0], originalLineIndex: 0 }

/** Both items of the example's sale, given back to the card. */
export const exampleRefundRequest = {
  taxpayerId: exampleDocument.taxpayerId,
  businessPremiseId: exampleDocument.businessPremiseId,
  clientReference: "RETURN-2026-000045",
  original: { source: "SVC", fiscalDocumentId: exampleDocument.id },
  cashier: { id: "web" },
  buyer: { id: "20:123456789" },
  items: [item],
  payments: exampleSale.payments
}

const original = {
  fiscalDocumentId: exampleDocument.id,
  pfrNumber: exampleDocument.pfr.invoiceNumber,
  pfrTime: exampleDocument.pfr.sdcTime
}

export const exampleRefund = {
  id: "01936b0e-8a00-7000-8000-000000000001",
  taxpayerId: exampleDocument.taxpayerId,
  businessPremiseId: exampleDocument.businessPremiseId,
  clientReference: exampleRefundRequest.clientReference,
  status: "COMPLETED",
  original: { source: "SVC", ...original, invoiceType: "NORMAL", transactionType: "SALE" },
  refund: {
    ...exampleDocument,
    id: "01936b0e-8a00-7000-8000-000000000002",
    idempotencyKey: "return-2026-000045-1",
    clientReference: exampleRefundRequest.clientReference,
    transactionType: "REFUND",
    buyerId: exampleRefundRequest.buyer.id,
    reference: original
  },
  cashRefundCopy: null,
  failureCode: null,
  createdAt: exampleDocument.createdAt,
  updatedAt: exampleDocument.updatedAt
}

const noReceipt = { fiscalized: false, pfr: null, receipt: null }

/** The V-PFR refused it: final, and nothing was given back. */
export const exampleRejectedRefund = {
  ...exampleRefund,
  status: "FAILED",
  failureCode: "PFR_VALIDATION_REJECTED",
  refund: {
    ...exampleRefund.refund,
    ...noReceipt,
    status: "REJECTED",
    failureCode: "PFR_VALIDATION_REJECTED",
    pfrRejection: { items: [{ property: "items[0].taxLabels[0]", codes: ["2310"] }] }
  }
}

/** Cash was given back, and the V-PFR could not be reached when the copy was due: the refund is valid. */
export const exampleCopyPending = {
  ...exampleRefund,
  status: "COPY_PENDING",
  failureCode: "PFR_UNAVAILABLE",
  cashRefundCopy: {
    ...exampleRefund.refund,
    ...noReceipt,
    id: "01936b0e-8a00-7000-8000-000000000003",
    idempotencyKey: `${exampleRefund.refund.idempotencyKey}:copy`,
    invoiceType: "COPY",
    status: "NOT_FISCALIZED",
    failureCode: "PFR_UNAVAILABLE",
    retryable: true,
    reference: {
      fiscalDocumentId: exampleRefund.refund.id,
      pfrNumber: exampleRefund.refund.pfr.invoiceNumber,
      pfrTime: exampleRefund.refund.pfr.sdcTime
    }
  }
}

export const exampleRefundable = {
  fiscalDocumentId: exampleDocument.id,
  lines: [{ originalLineIndex: 0, quantity: 2, amount: 2400, heldBy: [], item }]
}
