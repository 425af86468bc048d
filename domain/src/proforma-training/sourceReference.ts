import { Result } from "effect"
import { checkReference, type ReferenceRefusal, type Referring, typeNotAllowed } from "../references/checkReference.ts"
import type { ReferencedDocument } from "../references/ReferencedDocument.ts"
import type { DocumentReference } from "../references/ReferenceTarget.ts"

/** The proforma or training document to issue. `referenced` is the id its request names; null when it names none. */
export interface ProformaTrainingDraft extends Referring {
  readonly referenced: string | null
}

/**
 * The reference of a proforma or training document: none on a sale, which may not name one; on a refund, the sale it gives back. `source` is null
 * when the caller's organization and environment have no document of that id.
 * Source: Spec, Reference matrix; Decisions §2 (precedence), §5 Proforma and training.
 */
export const sourceReference = (
  draft: ProformaTrainingDraft,
  source: ReferencedDocument | null
): Result.Result<DocumentReference | null, ReferenceRefusal> => {
  if (draft.transactionType === "REFUND") return checkReference(draft, draft.referenced ?? "", source)
  return draft.referenced === null ? Result.succeed(null) : Result.fail(typeNotAllowed(draft))
}
