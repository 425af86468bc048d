import type { DateTime } from "effect"
import type { DocumentEvent } from "../documents/documentTransitions.ts"
import type { AttentionItem, Operation, Transition } from "../operations/Operation.ts"
import { copiedContent } from "../references/checkReference.ts"
import { referencedDocument, referenceTo } from "../references/ReferencedDocument.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { cashRefundCopyKey } from "./RefundWorkflow.ts"

/** A copy that is reserved and not sent, with its transitions so far. */
export interface ReservedCopy {
  readonly operation: Operation
  readonly transitions: ReadonlyArray<Transition>
}

const copyGraceMillis = 15_000

/**
 * After how many milliseconds the worker sends the copy of a refund that became a receipt by `event`. The request that got the answer sends the copy
 * itself and needs time for it; after a search or an operator's decision no request does.
 */
export const copyDueAfterMillis = (event: DocumentEvent): number => event === "signed" ? copyGraceMillis : 0

/**
 * The copy of a cash refund. It is composed from the signed refund alone, so every process that stores the refund's outcome reserves the same copy:
 * items, payments and buyer of the refund, its own key, a reference to the refund. Null while the refund is no receipt.
 * Source: Spec, Refunds rule 4; Decisions §5, Refund workflow.
 */
export const cashCopyOf = (
  refund: Operation,
  copyId: FiscalDocumentId,
  at: DateTime.Utc,
  actor: string
): ReservedCopy | null => {
  const reference = referenceTo(referencedDocument(refund))
  if (reference === null) return null
  const operation: Operation = {
    ...refund,
    id: copyId,
    boundKey: {
      role: "INNER",
      key: cashRefundCopyKey(refund.boundKey.key),
      target: refund.boundKey.target,
      body: refund.boundKey.body,
      fingerprint: refund.boundKey.fingerprint
    },
    content: { ...refund.content, ...copiedContent(refund.content), invoiceType: "COPY", reference, metadata: null },
    status: "VALIDATED",
    attempt: 0,
    failureCode: null,
    rejection: null,
    answer: null,
    createdAt: at,
    updatedAt: at,
    nextCheckAt: null
  }
  return {
    operation,
    transitions: [
      { from: null, to: "RECEIVED", at, cause: "received", actor, attempt: 0 },
      { from: "RECEIVED", to: "VALIDATED", at, cause: "validated", actor, attempt: 0 }
    ]
  }
}

/** The attention item for a cash refund whose signed copy could not be reserved, because something else has its id or its key. */
export const copyNotReserved = (copyId: FiscalDocumentId, holderId: string): AttentionItem => ({
  kind: "COPY_NOT_RESERVED",
  detail: `the signed copy ${copyId} of this cash refund could not be reserved: ${holderId === copyId ? "a row that only holds a key has its id" : `${holderId} has its key`}`,
  evidence: null
})
