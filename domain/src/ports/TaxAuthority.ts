import { Context, type DateTime, type Effect, Schema } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import type { SearchOutcome, SubmissionOutcome } from "../documents/SubmissionOutcome.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { SecurityElementId } from "../tenancy/identifiers.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"

/** The element or the V-PFR cannot be used at this moment; nothing was sent. */
export class SubmissionNotPossible extends Schema.TaggedError<SubmissionNotPossible>()("SubmissionNotPossible", {
  failureCode: Schema.Literals(["PFR_UNAVAILABLE", "PFR_SECURITY_ELEMENT_UNAVAILABLE"]),
  detail: Schema.String
}) {}

/** What must be known to sign a document and to recognize the answer as its own. */
export interface InvoiceToSign {
  readonly tenant: Tenant
  readonly elementId: SecurityElementId
  /** The element's JID: `requestedBy` of the answer. */
  readonly jid: string
  readonly content: DocumentContent
  /** The rates our own tax arithmetic compares the answer with; null when they are not known. */
  readonly taxRates: TaxRateGroup | null
}

/** An opened element and a composed request, ready to go; opaque to the domain. */
export interface PreparedInvoice {
  readonly invoice: InvoiceToSign
  readonly submit: (attempt: {
    readonly requestId: string
    /** The first byte leaves within this many milliseconds of the call, on a monotonic clock, or never (Decisions §4, lease). */
    readonly firstByteWithinMillis: number
    /** The caller went away: stops what has not begun to leave, nothing else. */
    readonly callerGone: AbortSignal
    readonly submittedAt: DateTime.Utc
  }) => Effect.Effect<SubmissionOutcome>
}

/**
 * The V-PFR. `prepare` opens the element without sending anything; asked twice, it answers the same and uses up nothing. `submit`
 * sends once, never retries, always ends within its deadline and never fails: what happened is its value. `find` is read-only.
 * `distrust` closes the element's connections, each when what is under way on it has ended: an answer that came over one of them turned
 * out to be another request's (Decisions §4).
 */
export class TaxAuthority extends Context.Service<TaxAuthority, {
  readonly prepare: (invoice: InvoiceToSign) => Effect.Effect<PreparedInvoice, SubmissionNotPossible>
  readonly find: (
    invoice: InvoiceToSign,
    search: { readonly requestId: string; readonly submittedAt: DateTime.Utc }
  ) => Effect.Effect<SearchOutcome>
  readonly distrust: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxAuthority") {}
