import type { DateTime } from "effect"
import type { DocumentEvent } from "../documents/documentTransitions.ts"
import type { Operation } from "../operations/Operation.ts"
import { cashCopyOf, copyDueAfterMillis, type ReservedCopy } from "../refunds/cashCopyOf.ts"
import { type DocumentReference, referencedDocument, referenceTo } from "../references/ReferencedDocument.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { closingKeyOf } from "./AdvanceCase.ts"
import { advancePartOf, isCopyDue } from "./caseDocuments.ts"

/** What follows from the outcome of one document of a case. It is stored in the same commit as the outcome. */
export type AdvanceEffect =
  | { readonly _tag: "None" }
  /** The signed copy of a cash cancellation is reserved, unsent. */
  | { readonly _tag: "ReserveCopy"; readonly copy: ReservedCopy; readonly dueAfterMillis: number }
  /** The final sale refers to the Advance Refund, which is a receipt now, and may be sent. */
  | { readonly _tag: "ReadyFinalSale"; readonly closingKey: string; readonly reference: DocumentReference; readonly dueAfterMillis: number }
  /** The Advance Refund was rejected, or its closing given up: the final sale is never sent (Spec, ADVANCE_REFUND_NOT_FISCALIZED). */
  | { readonly _tag: "EndFinalSale"; readonly closingKey: string }

/**
 * The id of a document that the service composes after another one: the other document's id with its last bit inverted. Every process that stores the
 * outcome therefore reserves the same document under the same id.
 *
 * @example innerDocumentId("01936b0e-9200-7000-8000-000000000002") // "01936b0e-9200-7000-8000-000000000003"
 */
export const innerDocumentId = (parent: FiscalDocumentId): FiscalDocumentId => {
  const last = Number.parseInt(parent.slice(-1), 16)
  return `${parent.slice(0, -1)}${(last ^ 1).toString(16)}` as FiscalDocumentId
}

const afterCancellation = (refund: Operation, at: DateTime.Utc, actor: string, event: DocumentEvent): AdvanceEffect => {
  const copy = isCopyDue(refund) ? cashCopyOf(refund, innerDocumentId(refund.id), at, actor) : null
  return copy === null ? { _tag: "None" } : { _tag: "ReserveCopy", copy, dueAfterMillis: copyDueAfterMillis(event) }
}

const afterAdvanceRefund = (refund: Operation, event: DocumentEvent): AdvanceEffect => {
  const closingKey = closingKeyOf(refund.boundKey.key)
  if (refund.status === "REJECTED" || event === "closingGivenUp") return { _tag: "EndFinalSale", closingKey }
  const reference = referenceTo(referencedDocument(refund))
  return reference === null
    ? { _tag: "None" }
    : { _tag: "ReadyFinalSale", closingKey, reference, dueAfterMillis: copyDueAfterMillis(event) }
}

/**
 * What follows from the outcome of a case's document. It is computed from the concluded document alone, so every process that stores the outcome
 * stores the same effects. Source: Decisions §5, Advance case.
 *
 * @param document The document as it is after the outcome.
 */
export const advanceEffect = (
  document: Operation,
  outcome: { readonly at: DateTime.Utc; readonly actor: string; readonly event: DocumentEvent }
): AdvanceEffect => {
  const part = advancePartOf(document)
  if (part === "CANCELLATION") return afterCancellation(document, outcome.at, outcome.actor, outcome.event)
  return part === "CLOSING_REFUND" ? afterAdvanceRefund(document, outcome.event) : { _tag: "None" }
}
