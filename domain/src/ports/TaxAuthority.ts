import { Context, type DateTime, type Effect, Schema } from "effect"
import type { DocumentToSign, InvoiceToSign, Signer } from "../documents/InvoiceToSign.ts"
import type { SearchOutcome, SubmissionOutcome } from "../documents/SubmissionOutcome.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { SecurityElementId } from "../tenancy/identifiers.ts"

/** The element or the V-PFR cannot be used at this moment; nothing was sent. */
export class SubmissionNotPossible extends Schema.TaggedError<SubmissionNotPossible>()("SubmissionNotPossible", {
  failureCode: Schema.Literals(["PFR_UNAVAILABLE", "PFR_SECURITY_ELEMENT_UNAVAILABLE"]),
  detail: Schema.String
}) {}

/** The terms of one submission. */
export interface SubmissionTerms {
  readonly requestId: string
  /** The first byte is sent within this many milliseconds of the call, on a monotonic clock, or never (Decisions §4, lease). */
  readonly firstByteWithinMillis: number
  /** The caller disconnected: stops what has not begun to be sent, nothing else. */
  readonly callerGone: AbortSignal
  readonly submittedAt: DateTime.Utc
}

/** An element opened for one request. */
export interface OpenedElement {
  /**
   * Composes the document for the V-PFR and sends it once, never again. It always ends within its deadline and never fails: the value says what
   * happened.
   */
  readonly submit: (document: DocumentToSign, terms: SubmissionTerms) => Effect.Effect<SubmissionOutcome>
}

/**
 * The V-PFR. `open` prepares the element without sending anything: a request opens it once, before its first commit, and submits with it afterwards,
 * whatever the document then contains. Opening again gives the same element and uses up nothing. `find` is read-only. `distrust` closes the element's
 * connections, each when its request in flight has ended: an answer on one of them belonged to another request (Decisions §4).
 */
export class TaxAuthority extends Context.Service<TaxAuthority, {
  readonly open: (signer: Signer) => Effect.Effect<OpenedElement, SubmissionNotPossible>
  readonly find: (
    invoice: InvoiceToSign,
    search: { readonly requestId: string; readonly submittedAt: DateTime.Utc }
  ) => Effect.Effect<SearchOutcome>
  readonly distrust: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxAuthority") {}
