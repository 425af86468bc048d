import { Result } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import type { Buyer } from "../parties/Buyer.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { type DocumentReference, type ReferencedDocument, referenceTo } from "./ReferencedDocument.ts"
import {
  CopySourceNotCopyable, CopySourceNotFiscalized, ReferenceDocumentNotFiscalized, ReferenceDocumentNotFound, ReferenceDocumentScopeMismatch,
  ReferenceDocumentTypeNotAllowed
} from "./errors.ts"
import { type DocumentKind, mayReference, referenceRule } from "./referenceMatrix.ts"

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

/** What a kind of document may refer to, and the refusal of everything else. */
export interface AllowedTargets {
  readonly mayReference: (target: DocumentKind) => boolean
  readonly notAllowed: () => ReferenceDocumentTypeNotAllowed
}

const byMatrix = (document: DocumentKind): AllowedTargets => ({
  mayReference: (target) => mayReference(document, target),
  notAllowed: () => typeNotAllowed(document)
})

/**
 * Whether `document` may refer to `target`, and the reference with its exact PFR facts. `target` is null when nothing of that id exists for the
 * caller's organization and environment. The checks, in this order: not found, scope, type, not fiscalized.
 * Source: Decisions §2, Precedence inside step 10.
 */
export const checkReference = (
  document: Referring,
  fiscalDocumentId: string,
  target: ReferencedDocument | null,
  allowed: AllowedTargets = byMatrix(document)
): Result.Result<DocumentReference, ReferenceRefusal> => {
  if (target === null) return Result.fail(new ReferenceDocumentNotFound({ fiscalDocumentId }))
  if (target.taxpayerId !== document.taxpayerId || target.businessPremiseId !== document.businessPremiseId) {
    return Result.fail(new ReferenceDocumentScopeMismatch({ fiscalDocumentId }))
  }
  if (!allowed.mayReference(target)) return Result.fail(allowed.notAllowed())
  const reference = referenceTo(target)
  return reference === null
    ? Result.fail(new ReferenceDocumentNotFiscalized({ fiscalDocumentId }))
    : Result.succeed(reference)
}

export type CopyRefusal = FiscalDocumentNotFound | CopySourceNotCopyable | CopySourceNotFiscalized

/**
 * Whether a document can be copied, and the reference of its copy. `source` is null when the caller's organization and environment have no such
 * document. The checks, in this order: not found, not copyable, not fiscalized (Decisions §2).
 */
export const copyReference = (
  fiscalDocumentId: string,
  source: ReferencedDocument | null
): Result.Result<DocumentReference, CopyRefusal> => {
  if (source === null) return Result.fail(new FiscalDocumentNotFound({ fiscalDocumentId }))
  const copy = { invoiceType: "COPY", transactionType: source.transactionType } as const
  if (!mayReference(copy, source)) {
    return Result.fail(new CopySourceNotCopyable({ fiscalDocumentId, invoiceType: source.invoiceType }))
  }
  const reference = referenceTo(source)
  return reference === null
    ? Result.fail(new CopySourceNotFiscalized({ fiscalDocumentId }))
    : Result.succeed(reference)
}

export type CopiedContent = Pick<DocumentContent, "items" | "payments" | "buyer">

/** The content that a copy takes from its source: everything fiscal but the buyer's optional field (Spec, fiscal-documents rule 5). */
export const copiedContent = (source: CopiedContent): CopiedContent => ({
  items: source.items,
  payments: source.payments,
  buyer: withoutOptionalField(source.buyer)
})

const withoutOptionalField = (buyer: Buyer | null): Buyer | null =>
  buyer === null || buyer.id === null ? null : { id: buyer.id, optionalField: null }
