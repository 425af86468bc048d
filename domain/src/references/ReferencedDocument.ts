import { Schema } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Operation } from "../operations/Operation.ts"
import { type BusinessPremiseId, FiscalDocumentId, type TaxpayerId } from "../tenancy/identifiers.ts"
import type { DocumentKind } from "./referenceMatrix.ts"

/** The literal the specification writes SVC: a document this service issued. */
export const serviceSource = "SVC"

/** The document a new one refers to, with the exact PFR facts that go to the V-PFR. Source: Spec, Resources, ReferenceTarget. */
export const DocumentReference = Schema.Struct({
  source: Schema.Literals([serviceSource, "EXTERNAL"]),
  /** Null for a document of another ESIR. */
  fiscalDocumentId: Schema.NullOr(FiscalDocumentId),
  pfrNumber: Schema.String,
  /** The referenced document's time text, digit for digit for our own; Belgrade local time with offset for external ones. */
  pfrTime: Schema.String,
  invoiceType: InvoiceType,
  transactionType: TransactionType
})
export interface DocumentReference extends Schema.Schema.Type<typeof DocumentReference> {}

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
