import { exampleDocument, exampleSale } from "./exampleDocument.ts"

/** An offer for two pairs of socks, as a proforma document. */
export const exampleProformaRequest = {
  ...exampleSale,
  clientReference: "OFFER-2026-000017",
  invoiceType: "PROFORMA",
  payments: [{ type: "OTHER", amount: 2400 }]
}

const document = {
  ...exampleDocument,
  id: "01936b0e-9100-7000-8000-000000000002",
  idempotencyKey: "offer-2026-000017-proforma",
  clientReference: exampleProformaRequest.clientReference,
  invoiceType: "PROFORMA",
  pfr: {
    ...exampleDocument.pfr,
    invoiceCounterExtension: "РП",
    journal: "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ========\r\n…"
  }
}

export const exampleProforma = {
  id: "01936b0e-9100-7000-8000-000000000001",
  taxpayerId: exampleDocument.taxpayerId,
  businessPremiseId: exampleDocument.businessPremiseId,
  clientReference: exampleProformaRequest.clientReference,
  status: "COMPLETED",
  document,
  source: null,
  failureCode: null,
  createdAt: exampleDocument.createdAt,
  updatedAt: exampleDocument.updatedAt
}

const notSigned = { fiscalized: false, pfr: null, receipt: null }

/** The V-PFR could not be reached before anything was sent: the same key sends it again. */
export const examplePendingProforma = {
  ...exampleProforma,
  status: "PENDING",
  failureCode: "PFR_UNAVAILABLE",
  document: { ...document, ...notSigned, status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE", retryable: true }
}

/** The V-PFR refused it: final, nothing was signed. */
export const exampleRejectedProforma = {
  ...exampleProforma,
  status: "FAILED",
  failureCode: "PFR_VALIDATION_REJECTED",
  document: {
    ...document,
    ...notSigned,
    status: "REJECTED",
    failureCode: "PFR_VALIDATION_REJECTED",
    pfrRejection: { items: [{ property: "items[0].taxLabels[0]", codes: ["2310"] }] }
  }
}
