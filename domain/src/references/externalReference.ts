import { DateTime, Option, Result } from "effect"
import type { ReferenceDocumentTypeNotAllowed } from "./errors.ts"
import { typeNotAllowed } from "./checkReference.ts"
import { type Fault, faultAt } from "../requests/Fault.ts"
import { requestInstant } from "../requests/RequestTime.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
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

/** The reference with what the caller says of another ESIR's document. */
export const externalFacts = ({ invoiceType, pfrNumber, pfrTime, transactionType }: ExternalDocument): DocumentReference => ({
  source: "EXTERNAL",
  fiscalDocumentId: null,
  pfrNumber,
  pfrTime,
  invoiceType,
  transactionType
})

/**
 * The reference to a document of another ESIR: only a copy may hold one, of a Normal or Advance document of the same transaction
 * type. Source: Spec, Reference matrix; Decisions §5, Copies.
 */
export const externalReference = (
  document: DocumentKind,
  external: ExternalDocument
): Result.Result<DocumentReference, ReferenceDocumentTypeNotAllowed> => {
  return referenceRule(document).external && mayReference(document, external)
    ? Result.succeed(externalFacts(external))
    : Result.fail(typeNotAllowed(document))
}

/** What decides whether a description of another ESIR's document can be true. */
export interface ExternalKnowledge {
  /** The document of this service, in the caller's organization and environment, that has the number; null where none has it. */
  readonly ownId: FiscalDocumentId | null
  readonly now: DateTime.Utc
}

/** How far another ESIR's clock may be ahead; the V-PFR's may be as much (Decisions §4). */
const clockDifference = "5 minutes"

/**
 * Why a document that the caller describes cannot be another ESIR's: its number is that of a document of ours, whose copy has its own operation and
 * needs no description, or its time has not come yet. Source: Spec, Reference matrix; docs/adr/0213.
 */
export const externalReferenceFaults = (
  { pfrTime }: Pick<ExternalDocument, "pfrTime">,
  { now, ownId }: ExternalKnowledge
): ReadonlyArray<Fault> => {
  const signedAt = requestInstant(pfrTime)
  const isAhead = Option.isSome(signedAt) && DateTime.isGreaterThan(signedAt.value, DateTime.addDuration(now, clockDifference))
  return [
    ...(ownId === null
      ? []
      : [faultAt(["reference", "pfrNumber"], `is document ${ownId} of this service; copy it by POST /v1/fiscal-documents/${ownId}/copies`)]),
    ...(isAhead ? [faultAt(["reference", "pfrTime"], "must not be in the future")] : [])
  ]
}
