import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { Operation } from "../operations/Operation.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"
import { type DocumentReference, serviceSource } from "./ReferenceTarget.ts"
import type { DocumentKind } from "./referenceMatrix.ts"

/** The facts of one of our documents that decide whether another may refer to it. */
export interface ReferencedDocument extends DocumentKind {
  readonly fiscalDocumentId: FiscalDocumentId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly status: DocumentStatus
  /** Null until it is signed. */
  readonly pfr: { readonly invoiceNumber: string; readonly sdcTime: string } | null
}

/** An operation as the target of a reference. */
export const referencedDocument = (operation: Operation): ReferencedDocument => ({
  fiscalDocumentId: operation.id,
  taxpayerId: operation.taxpayerId,
  businessPremiseId: operation.businessPremiseId,
  invoiceType: operation.content.invoiceType,
  transactionType: operation.content.transactionType,
  status: operation.status,
  pfr: operation.answer === null ? null : operation.answer.pfr
})

/** The reference to a signed document, number and time digit for digit; null while it is not a receipt. */
export const referenceTo = (document: ReferencedDocument): DocumentReference | null =>
  document.status !== "FISCALIZED" || document.pfr === null ? null : {
    source: serviceSource,
    fiscalDocumentId: document.fiscalDocumentId,
    pfrNumber: document.pfr.invoiceNumber,
    pfrTime: document.pfr.sdcTime,
    invoiceType: document.invoiceType,
    transactionType: document.transactionType
  }
