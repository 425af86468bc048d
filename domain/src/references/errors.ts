import { Schema } from "effect"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"

/** The document that the new one refers to does not exist for this organization and environment. Source: Spec, Errors, Catalogue. */
export class ReferenceDocumentNotFound extends Schema.TaggedError<ReferenceDocumentNotFound>()("ReferenceDocumentNotFound", {
  fiscalDocumentId: Schema.String
}) {
  readonly code = "REFERENCE_DOCUMENT_NOT_FOUND"
}

/** The referenced document belongs to another taxpayer or premise. Source: Spec, Errors, Catalogue. */
export class ReferenceDocumentScopeMismatch
  extends Schema.TaggedError<ReferenceDocumentScopeMismatch>()("ReferenceDocumentScopeMismatch", {
    fiscalDocumentId: Schema.String
  })
{
  readonly code = "REFERENCE_DOCUMENT_SCOPE_MISMATCH"
}

/** The reference matrix does not contain this pair. `invoiceType` and `transactionType` are the new document's. */
export class ReferenceDocumentTypeNotAllowed
  extends Schema.TaggedError<ReferenceDocumentTypeNotAllowed>()("ReferenceDocumentTypeNotAllowed", {
    invoiceType: InvoiceType,
    transactionType: TransactionType,
    /** What this kind of document may refer to, for the message. */
    allowed: Schema.Array(Schema.Struct({ invoiceType: InvoiceType, transactionType: TransactionType }))
  })
{
  readonly code = "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
}

/** The referenced document is no receipt (yet). Source: Spec, Errors, Catalogue. */
export class ReferenceDocumentNotFiscalized
  extends Schema.TaggedError<ReferenceDocumentNotFiscalized>()("ReferenceDocumentNotFiscalized", {
    fiscalDocumentId: Schema.String
  })
{
  readonly code = "REFERENCE_DOCUMENT_NOT_FISCALIZED"
}

/** Copies of copies, of proforma and of training documents do not exist. Source: Spec, Document types. */
export class CopySourceNotCopyable extends Schema.TaggedError<CopySourceNotCopyable>()("CopySourceNotCopyable", {
  fiscalDocumentId: Schema.String,
  invoiceType: InvoiceType
}) {
  readonly code = "COPY_SOURCE_NOT_COPYABLE"
}

/** Only a receipt can be copied. Source: Spec, Errors, Catalogue. */
export class CopySourceNotFiscalized extends Schema.TaggedError<CopySourceNotFiscalized>()("CopySourceNotFiscalized", {
  fiscalDocumentId: Schema.String
}) {
  readonly code = "COPY_SOURCE_NOT_FISCALIZED"
}
