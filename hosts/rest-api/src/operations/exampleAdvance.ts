import { exampleDocument } from "./exampleDocument.ts"

const place = { taxpayerId: exampleDocument.taxpayerId, businessPremiseId: exampleDocument.businessPremiseId }
const buyer = { id: "20:123456789" }
const cashier = { id: "web" }
const caseId = "01936b0e-9200-7000-8000-000000000001"
const saleId = "01936b0e-9200-7000-8000-000000000002"
const notSigned = { fiscalized: false, pfr: null, receipt: null }

/** A wardrobe made to order. */
export const exampleCaseRequest = { ...place, clientReference: "WARDROBE-2026-0042", buyer }

/** Thirty percent by card. */
export const examplePaymentRequest = {
  cashier,
  items: [{ name: "10: Аванс (Ђ)", quantity: 1, unitPrice: 36000, taxLabels: ["Ђ"] }],
  payments: [{ type: "CARD", amount: 36000 }]
}

export const exampleCancellationRequest = { advanceSaleId: saleId, cashier, buyer }

/** Delivered; the rest is paid in cash. */
export const exampleClosingRequest = {
  cashier,
  items: [{ name: "Орман по мери", unitOfMeasure: "ком", quantity: 1, unitPrice: 120000, taxLabels: ["Ђ"] }],
  remainingPayments: [{ type: "CASH", amount: 84000 }]
}

const advanceSale = {
  ...exampleDocument,
  id: saleId,
  idempotencyKey: "wardrobe-2026-0042-card",
  clientReference: exampleCaseRequest.clientReference,
  invoiceType: "ADVANCE",
  buyerId: buyer.id,
  pfr: { ...exampleDocument.pfr, invoiceCounterExtension: "АП", totalAmount: 36000, totalTax: 6000 }
}

export const exampleOpenedCase = {
  id: caseId,
  ...place,
  clientReference: exampleCaseRequest.clientReference,
  state: "OPEN",
  buyer,
  advanceSales: [] as ReadonlyArray<unknown>,
  cancelledAdvanceSaleIds: [] as ReadonlyArray<string>,
  advanceCancellations: [] as ReadonlyArray<unknown>,
  externalAdvance: null,
  totalAdvance: 0,
  remainingPayments: null,
  advanceRefund: null,
  finalSale: null,
  current: null,
  failureCode: null,
  createdAt: exampleDocument.createdAt,
  updatedAt: exampleDocument.updatedAt
}

export const examplePaidCase = { ...exampleOpenedCase, advanceSales: [advanceSale], totalAdvance: 36000, current: advanceSale }

const cancellation = {
  ...advanceSale,
  id: "01936b0e-9200-7000-8000-000000000003",
  idempotencyKey: "wardrobe-2026-0042-cancel",
  transactionType: "REFUND",
  pfr: { ...advanceSale.pfr, invoiceCounterExtension: "АР" },
  reference: { fiscalDocumentId: saleId, pfrNumber: advanceSale.pfr.invoiceNumber, pfrTime: advanceSale.pfr.sdcTime }
}

export const exampleCancelledCase = {
  ...examplePaidCase,
  cancelledAdvanceSaleIds: [saleId],
  advanceCancellations: [{ refund: cancellation, copy: null }],
  totalAdvance: 0,
  current: cancellation
}

const advanceRefund = {
  ...cancellation,
  id: "01936b0e-9200-7000-8000-000000000004",
  idempotencyKey: "wardrobe-2026-0042-close:advance-refund"
}

const finalSale = {
  ...exampleDocument,
  id: "01936b0e-9200-7000-8000-000000000005",
  idempotencyKey: "wardrobe-2026-0042-close",
  clientReference: exampleCaseRequest.clientReference,
  buyerId: buyer.id,
  pfr: { ...exampleDocument.pfr, totalAmount: 120000, totalTax: 20000 },
  reference: {
    fiscalDocumentId: advanceRefund.id,
    pfrNumber: advanceRefund.pfr.invoiceNumber,
    pfrTime: advanceRefund.pfr.sdcTime
  }
}

export const exampleClosedCase = {
  ...examplePaidCase,
  state: "CLOSED",
  remainingPayments: exampleClosingRequest.remainingPayments,
  advanceRefund,
  finalSale,
  current: finalSale
}

const notSent = { ...notSigned, status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE", retryable: true }

/** The V-PFR could not be reached: nothing was sent, and the same key continues. */
export const examplePendingPayment = {
  ...exampleOpenedCase,
  advanceSales: [{ ...advanceSale, ...notSent }],
  current: { ...advanceSale, ...notSent }
}

const rejected = {
  ...advanceSale,
  ...notSigned,
  status: "REJECTED",
  failureCode: "PFR_VALIDATION_REJECTED",
  pfrRejection: { items: [{ property: "payments[0].amount", codes: ["2804"] }] }
}

export const exampleRejectedPayment = { ...exampleOpenedCase, advanceSales: [rejected], current: rejected }

const { reference: _reference, ...finalSaleUnsent } = finalSale

/** The Advance Refund may have been signed: the final sale waits for it. */
export const exampleClosingUnknown = {
  ...exampleClosedCase,
  state: "AWAITING_OUTCOME",
  failureCode: "OUTCOME_UNKNOWN",
  advanceRefund: { ...advanceRefund, ...notSigned, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN" },
  finalSale: { ...finalSaleUnsent, ...notSigned, status: "VALIDATED" },
  current: { ...advanceRefund, ...notSigned, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN" }
}
