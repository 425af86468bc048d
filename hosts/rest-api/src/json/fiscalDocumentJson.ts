import type { BuyerDetails, FiscalDocument, PfrResult } from "@overa/domain"
import { jsonNumber, utcTime } from "./scalars.ts"

/** A document as the contract writes it. Source: Spec, Resources, FiscalDocument. */
export const fiscalDocumentJson = (document: FiscalDocument) => ({
  id: document.id,
  taxpayerId: document.taxpayerId,
  businessPremiseId: document.businessPremiseId,
  idempotencyKey: document.idempotencyKey,
  clientReference: document.clientReference,
  invoiceType: document.invoiceType,
  transactionType: document.transactionType,
  cashierId: document.cashierId,
  buyerId: document.buyerId,
  buyerDetails: document.buyerDetails === null ? null : buyerDetailsJson(document.buyerDetails),
  status: document.status,
  fiscalized: document.fiscalized,
  failureCode: document.failureCode,
  // Absent where it does not apply (Decisions §5, Values).
  ...(document.pfrRejection === null ? {} : { pfrRejection: document.pfrRejection }),
  retryable: document.retryable,
  pfr: document.pfr === null ? null : pfrResultJson(document.pfr),
  receipt: document.pfr === null || document.preferredPaperFormat === null ? null : receiptJson(document, document.pfr),
  ...(document.reference === null ? {} : { reference: referenceJson(document.reference) }),
  createdAt: utcTime(document.createdAt),
  updatedAt: utcTime(document.updatedAt)
})

const buyerDetailsJson = (details: BuyerDetails) => ({
  legalName: details.legalName,
  taxIdentifier: details.taxIdentifier,
  registrationNumber: details.registrationNumber,
  address: details.address,
  city: details.city,
  source: details.source,
  resolvedAt: utcTime(details.resolvedAt)
})

const pfrResultJson = (pfr: PfrResult) => ({
  invoiceNumber: pfr.invoiceNumber,
  sdcTime: pfr.sdcTime,
  requestedBy: pfr.requestedBy,
  signedBy: pfr.signedBy,
  transactionTypeCounter: pfr.transactionTypeCounter,
  totalCounter: pfr.totalCounter,
  invoiceCounterExtension: pfr.invoiceCounterExtension,
  totalAmount: jsonNumber(pfr.totalAmount),
  totalTax: pfr.totalTax === null ? null : jsonNumber(pfr.totalTax),
  verificationUrl: pfr.verificationUrl,
  journal: pfr.journal
})

const receiptJson = (document: FiscalDocument, pfr: PfrResult) => {
  const representations = `/v1/fiscal-documents/${document.id}/representations`
  return {
    textUrl: `${representations}/official-text`,
    jsonUrl: `${representations}/canonical-json`,
    pdfA4Url: `${representations}/pdf-a4`,
    pdf80mmUrl: `${representations}/pdf-80mm`,
    pdf58mmUrl: `${representations}/pdf-58mm`,
    previewImageUrl: `${representations}/preview-png`,
    qrImageUrl: `${representations}/qr-svg`,
    verificationUrl: pfr.verificationUrl,
    preferredPaperFormat: document.preferredPaperFormat
  }
}

const referenceJson = (reference: NonNullable<FiscalDocument["reference"]>) => ({
  ...(reference.fiscalDocumentId === null ? {} : { fiscalDocumentId: reference.fiscalDocumentId }),
  pfrNumber: reference.pfrNumber,
  pfrTime: reference.pfrTime
})
