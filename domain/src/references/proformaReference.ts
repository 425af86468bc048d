import { Result } from "effect"
import type { RequestedReference } from "../requests/commonFields.ts"
import { belgradeTimeOf } from "../time/belgradeTime.ts"
import { checkReference, type ReferenceRefusal, type Referring } from "./checkReference.ts"
import { ReferenceDocumentTypeNotAllowed } from "./errors.ts"
import { externalFacts } from "./externalReference.ts"
import type { DocumentKind } from "./referenceMatrix.ts"
import type { DocumentReference, ReferencedDocument } from "./ReferencedDocument.ts"

const proforma = { invoiceType: "PROFORMA", transactionType: "SALE" } as const

const isProforma = ({ invoiceType, transactionType }: DocumentKind): boolean =>
  invoiceType === proforma.invoiceType && transactionType === proforma.transactionType

/**
 * The reference of a Normal Sale that arises from a proforma, where the operator has switched that on: to the proforma that this service had signed, or to
 * one of another ESIR. Anything but the sale of a proforma is refused as the reference matrix refuses it. Source: V-PFR §2, references; §8.7.
 */
export const proformaReference = (
  sale: Referring,
  reference: RequestedReference,
  target: ReferencedDocument | null
): Result.Result<DocumentReference, ReferenceRefusal> => {
  const notAllowed = () =>
    new ReferenceDocumentTypeNotAllowed({ invoiceType: sale.invoiceType, transactionType: sale.transactionType, allowed: [proforma] })
  if (reference.source === "SVC") return checkReference(sale, reference.fiscalDocumentId, target, { mayReference: isProforma, notAllowed })
  return isProforma(reference)
    ? Result.succeed(externalFacts({ ...reference, pfrTime: belgradeTimeOf(reference.pfrTime) }))
    : Result.fail(notAllowed())
}
