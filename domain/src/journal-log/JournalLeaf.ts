import { DateTime } from "effect"
import type { Transition } from "../operations/Operation.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, OrganizationId } from "../tenancy/identifiers.ts"

/** The digests of a document's request and answer: SHA-256, lower-case hexadecimal. */
export interface LeafDigests {
  /** Over the bytes of the request's body as received. */
  readonly request: string
  /** Over the stored facts that never change: `recordText`. */
  readonly record: string
  /** Over `late_reference`: the reference of an advance case's final sale, which becomes known only before it is sent. Null where there is none. */
  readonly reference: string | null
  /** Over the V-PFR's answer to this transition's attempt: the signed answer, or the rejection; null elsewhere. */
  readonly answer: string | null
  /** Over what the service keeps of the signed answer beside its text; null before there is one. */
  readonly result: string | null
}

/** One transition of a document, as a leaf of the journal's log records it. */
export interface JournalLeaf {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly documentId: FiscalDocumentId
  /** Which transition of the document, from 1. */
  readonly position: number
  readonly transition: Transition
  /** Under which the attempt was sent; null for transitions without an attempt. */
  readonly requestId: string | null
  /** The official number, where this transition made the document a receipt; null elsewhere. */
  readonly invoiceNumber: string | null
  readonly digests: LeafDigests
}

/** Transitions before a document is sent for the first time; the reference may come later. */
const isBeforeSending = (to: Transition["to"]): boolean => to === "RECEIVED" || to === "VALIDATED"

/** Whether a transition's leaf carries the digest of an answer: of the signed one, or of the rejection. */
export const bearsAnswer = (to: Transition["to"]): boolean => to === "FISCALIZED" || to === "REJECTED"

/**
 * The bytes of a leaf as text: JSON with its members in alphabetical order and no white space (RFC 8785). Later changes of the document never make it
 * wrong, so it can be computed again from the stored rows at any time.
 *
 * @example
 * leafHash(new TextEncoder().encode(leafText(leaf)))
 */
export const leafText = ({ digests, documentId, environment, invoiceNumber, organizationId, position, requestId, transition }: JournalLeaf): string => {
  const { actor, at, attempt, cause, from, to } = transition
  const isReceipt = to === "FISCALIZED"
  return JSON.stringify({
    actor,
    answer: bearsAnswer(to) ? digests.answer : null,
    at: DateTime.formatIso(at),
    attempt,
    cause,
    documentId,
    environment,
    from,
    invoiceNumber: isReceipt ? invoiceNumber : null,
    organizationId,
    position,
    record: digests.record,
    reference: isBeforeSending(to) ? null : digests.reference,
    request: digests.request,
    requestId,
    result: isReceipt ? digests.result : null,
    to,
    version: 1
  })
}
