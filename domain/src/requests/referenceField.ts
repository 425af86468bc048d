import { Schema } from "effect"
import { InvoiceType } from "../documents/InvoiceType.ts"
import { TransactionType } from "../documents/TransactionType.ts"
import { isExternalReferenceNumber, maximumReferenceNumberLength } from "../references/externalReference.ts"
import { externalReferenceNumber } from "../verification/pfrNumber.ts"
import { serviceSource } from "../references/ReferenceTarget.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { requestTimeField } from "./RequestTime.ts"
import { textField, uuidField } from "./textField.ts"

/** A document this service issued (Spec, Resources, ReferenceTarget). */
export const serviceReferenceField = Schema.Struct({
  source: Schema.Literal(serviceSource).annotate({ description: "A document of this service." }),
  fiscalDocumentId: uuidField.annotate({ description: "The service fills in its PFR facts." })
}).annotate({ identifier: "ServiceReference", description: "A document this service issued." })

/** A document of another ESIR, described by the caller. */
export const externalReferenceField = Schema.Struct({
  source: Schema.Literal("EXTERNAL").annotate({ description: "A document of another ESIR." }),
  pfrNumber: textField(maximumReferenceNumberLength, {
    form: (text) =>
      isExternalReferenceNumber(text) ? undefined : "must be an official number such as ABCD1234-ABCD1234-15",
    pattern: externalReferenceNumber.source
  }).annotate({ description: "Its receipt number." }),
  pfrTime: requestTimeField.annotate({ description: "Its PFR time, with an offset or Z." }),
  invoiceType: InvoiceType,
  transactionType: TransactionType
}).annotate({ identifier: "ExternalReference", description: "A document of another ESIR; only a copy may refer to one." })

/** Either of them, told apart by `source`. */
export const referenceField = Schema.Union([serviceReferenceField, externalReferenceField])

export interface ServiceReference {
  readonly source: typeof serviceSource
  readonly fiscalDocumentId: FiscalDocumentId
}

export interface ExternalReference {
  readonly source: "EXTERNAL"
  readonly pfrNumber: string
  /** As the caller wrote it: full form with offset or Z. */
  readonly pfrTime: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** The reference of a request, before any document was looked up. */
export type RequestedReference = ServiceReference | ExternalReference

/** @see {@link ServiceReference} */
export const toServiceReference = (reference: typeof serviceReferenceField.Type): ServiceReference => ({
  source: serviceSource,
  fiscalDocumentId: reference.fiscalDocumentId.toLowerCase() as FiscalDocumentId
})

export const toReference = (reference: typeof referenceField.Type | null | undefined): RequestedReference | null => {
  if (reference === null || reference === undefined) return null
  return reference.source === serviceSource ? toServiceReference(reference) : reference
}
