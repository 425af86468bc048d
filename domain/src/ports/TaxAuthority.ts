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
  /** The first byte leaves within this many milliseconds of the call, on a monotonic clock, or never (Decisions §4, lease). */
  readonly firstByteWithinMillis: number
  /** The caller went away: stops what has not begun to leave, nothing else. */
  readonly callerGone: AbortSignal
  readonly submittedAt: DateTime.Utc
}

/** An element opened for one request. */
export interface OpenedElement {
  /**
   * Composes the document for the V-PFR and sends it once, never again; always ends within its deadline and never fails: what happened
   * is its value.
   */
  readonly submit: (document: DocumentToSign, terms: SubmissionTerms) => Effect.Effect<SubmissionOutcome>
}

/**
 * The V-PFR. `open` gets the element ready without sending anything: a request opens it once, before its first commit, and submits with
 * it after, whatever the document then says; opened again, it answers the same and uses up nothing. `find` is read-only. `distrust`
 * closes the element's connections, each when what is under way on it has ended: an answer that came over one of them turned out to be
 * another request's (Decisions §4).
 */
export class TaxAuthority extends Context.Service<TaxAuthority, {
  readonly open: (signer: Signer) => Effect.Effect<OpenedElement, SubmissionNotPossible>
  readonly find: (
    invoice: InvoiceToSign,
    search: { readonly requestId: string; readonly submittedAt: DateTime.Utc }
  ) => Effect.Effect<SearchOutcome>
  readonly distrust: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxAuthority") {}
