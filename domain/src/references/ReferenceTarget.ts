import { Schema } from "effect"
import { InvoiceType } from "../documents/InvoiceType.ts"
import { TransactionType } from "../documents/TransactionType.ts"
import { FiscalDocumentId } from "../tenancy/identifiers.ts"

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
