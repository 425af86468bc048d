import { Result } from "effect"
import type { ReferenceDocumentTypeNotAllowed } from "./errors.ts"
import { typeNotAllowed } from "./checkReference.ts"
import { externalReferenceNumber } from "../verification/pfrCodes.ts"
import { type DocumentKind, mayReference, referenceRule } from "./referenceMatrix.ts"
import type { DocumentReference } from "./ReferencedDocument.ts"

/** Longest number the V-PFR takes as `referentDocumentNumber`, in characters (V-PFR §2). */
export const maximumReferenceNumberLength = 50

/** Whether a text can be the number of another ESIR's document. Source: V-PFR §2. */
export const isExternalReferenceNumber = (text: string): boolean =>
  text.length <= maximumReferenceNumberLength && externalReferenceNumber.test(text)

/** What a caller says about a document of another ESIR; `pfrTime` already as Belgrade local time with offset (Decisions §1). */
export interface ExternalDocument extends DocumentKind {
  readonly pfrNumber: string
  readonly pfrTime: string
}

/**
 * The reference to a document of another ESIR: only a copy may hold one, of a Normal or Advance document of the same transaction
 * type. Source: Spec, Reference matrix; Decisions §5, Copies.
 */
export const externalReference = (
  document: DocumentKind,
  external: ExternalDocument
): Result.Result<DocumentReference, ReferenceDocumentTypeNotAllowed> => {
  if (!referenceRule(document).external || !mayReference(document, external)) return Result.fail(typeNotAllowed(document))
  return Result.succeed({
    source: "EXTERNAL",
    fiscalDocumentId: null,
    pfrNumber: external.pfrNumber,
    pfrTime: external.pfrTime,
    invoiceType: external.invoiceType,
    transactionType: external.transactionType
  })
}
