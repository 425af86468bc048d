import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"
import type { DocumentToSign, InvoiceToSign, Signer } from "../documents/InvoiceToSign.ts"
import type { SearchOutcome, SubmissionOutcome } from "../documents/PfrResult.ts"
import type { SellerOnReceipt } from "../receipt-text/previewReceipt.ts"
import type { TaxRateHistory } from "../tax/TaxRateGroup.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { SignerKey } from "../verification/checkReceipt.ts"

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
 * whatever the document then contains. Opening again gives the same element and uses up nothing. `find` is read-only. `resetConnections` closes the element's
 * connections, each when its request in flight has ended: an answer on one of them belonged to another request (Decisions §4).
 */
export class TaxAuthority extends Context.Service<TaxAuthority, {
  readonly open: (signer: Signer) => Effect.Effect<OpenedElement, SubmissionNotPossible>
  readonly find: (
    invoice: InvoiceToSign,
    search: { readonly requestId: string; readonly submittedAt: DateTime.Utc }
  ) => Effect.Effect<SearchOutcome>
  readonly resetConnections: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxAuthority") {}

/** The V-PFR gave no tax configuration that is fresh enough (Decisions §2). */
export class TaxConfigurationUnavailable
  extends Schema.TaggedError<TaxConfigurationUnavailable>()("TaxConfigurationUnavailable", { detail: Schema.String })
{}

/** The V-PFR's published tax rates. One fetch at a time for each element; refreshed in the background. */
export class TaxRates extends Context.Service<TaxRates, {
  /** The rates fetched for that element at most five minutes ago. */
  readonly fresh: (
    tenant: Tenant,
    elementId: SecurityElementId
  ) => Effect.Effect<TaxRateHistory, TaxConfigurationUnavailable>
  /** The last known rates, however old: for documents that use the rates of an earlier time. */
  readonly known: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<TaxRateHistory | null>
  /** The V-PFR answered 2310: the cached rates may be stale. */
  readonly doubt: (elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxRates") {}

/** What the V-PFR will print about the seller. */
export class SellerDetails extends Context.Service<SellerDetails, {
  /** From the element's certificate, without asking the V-PFR; null where the element cannot be opened now. */
  readonly ofElement: (organizationId: OrganizationId, id: SecurityElementId) => Effect.Effect<SellerOnReceipt | null>
}>()("@overa/domain/ports/SellerDetails") {}

/** What an operator has recorded of an environment's signers. */
export class KnownSigners extends Context.Service<KnownSigners, {
  readonly inEnvironment: (environment: Environment) => {
    readonly signers: ReadonlyArray<SignerKey>
    /** The tax authority's verification address up to and including `vl=`; null where it is not known. */
    readonly verificationRoot: string | null
  }
}>()("@overa/domain/ports/KnownSigners") {}

/** The element does not exist, cannot be decrypted, or has expired. */
export class SecurityElementUnavailable
  extends Schema.TaggedError<SecurityElementUnavailable>()("SecurityElementUnavailable", { detail: Schema.String })
{}

/** The credentials that open the connection to the V-PFR in the taxpayer's name. Never logged, never stored unencrypted. */
export interface ElementCredentials {
  readonly environment: Environment
  readonly jid: string
  readonly tin: string
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
  /** Leaf first, then intermediates, PEM. */
  readonly certificateChain: string
  readonly pac: Redacted.Redacted<string>
  readonly validTo: number
}

/** The vault of security elements. Replaced elements can be opened while anything they sent is unresolved. */
export class SecurityElements extends Context.Service<SecurityElements, {
  readonly open: (
    organizationId: OrganizationId,
    id: SecurityElementId
  ) => Effect.Effect<ElementCredentials, SecurityElementUnavailable>
}>()("@overa/domain/ports/SecurityElements") {}
