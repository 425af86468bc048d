import { Result } from "effect"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import {
  ReferenceDocumentNotFiscalized,
  ReferenceDocumentNotFound,
  ReferenceDocumentScopeMismatch,
  ReferenceDocumentTypeNotAllowed
} from "./errors.ts"
import { type ReferencedDocument, referenceTo } from "./ReferencedDocument.ts"
import { type DocumentKind, mayReference, referenceRule } from "./referenceMatrix.ts"
import type { DocumentReference } from "./ReferenceTarget.ts"

export type ReferenceRefusal =
  | ReferenceDocumentNotFound
  | ReferenceDocumentScopeMismatch
  | ReferenceDocumentTypeNotAllowed
  | ReferenceDocumentNotFiscalized

/** The new document that wants to refer to another. */
export interface Referring extends DocumentKind {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
}

/** The refusal of a pair that is not in the matrix. */
export const typeNotAllowed = (document: DocumentKind): ReferenceDocumentTypeNotAllowed => {
  const rule = referenceRule(document)
  return new ReferenceDocumentTypeNotAllowed({
    invoiceType: document.invoiceType,
    transactionType: document.transactionType,
    allowed: rule.namedBy === "CALLER" ? rule.targets : []
  })
}

/**
 * Whether a caller may name a reference on this kind of document at all. A Normal Sale, an advance, and a proforma or training sale take no reference
 * from the caller, whatever document it names (Decisions §5, Copies).
 */
export const callerMayReference = (document: DocumentKind): Result.Result<void, ReferenceDocumentTypeNotAllowed> =>
  referenceRule(document).namedBy === "CALLER" ? Result.succeed(undefined) : Result.fail(typeNotAllowed(document))

/**
 * Whether `document` may refer to `target`, and the reference with its exact PFR facts. `target` is null when nothing of that id exists for the
 * caller's organization and environment. The checks, in this order: not found, scope, type, not fiscalized.
 * Source: Decisions §2, Precedence inside step 10.
 */
export const checkReference = (
  document: Referring,
  fiscalDocumentId: string,
  target: ReferencedDocument | null
): Result.Result<DocumentReference, ReferenceRefusal> => {
  if (target === null) return Result.fail(new ReferenceDocumentNotFound({ fiscalDocumentId }))
  if (target.taxpayerId !== document.taxpayerId || target.businessPremiseId !== document.businessPremiseId) {
    return Result.fail(new ReferenceDocumentScopeMismatch({ fiscalDocumentId }))
  }
  if (!mayReference(document, target)) return Result.fail(typeNotAllowed(document))
  const reference = referenceTo(target)
  return reference === null
    ? Result.fail(new ReferenceDocumentNotFiscalized({ fiscalDocumentId }))
    : Result.succeed(reference)
}
