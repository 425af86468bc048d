import { Result } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import type { Buyer } from "../parties/Buyer.ts"
import { CopySourceNotCopyable, CopySourceNotFiscalized } from "./errors.ts"
import { type ReferencedDocument, referenceTo } from "./ReferencedDocument.ts"
import { mayReference } from "./referenceMatrix.ts"
import type { DocumentReference } from "./ReferenceTarget.ts"

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
