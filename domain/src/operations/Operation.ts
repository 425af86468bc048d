import type { DateTime } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import type { DocumentEvent } from "../documents/documentTransitions.ts"
import type { PfrRejection, SignedAnswer } from "../documents/PfrResult.ts"
import type { BuyerDetails } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type {
  BusinessPremiseId,
  FiscalDocumentId,
  OrganizationId,
  SecurityElementId,
  TaxpayerId,
  WorkflowId
} from "../tenancy/identifiers.ts"

/** REQUEST: a caller's key. INNER: one the service composed (`:copy`, `:advance-refund`). Decisions §3. */
export type KeyRole = "REQUEST" | "INNER"

/** What an idempotency key is bound to. */
export interface BoundKey {
  readonly role: KeyRole
  readonly key: string
  /** Method and path with its parameters, e.g. `POST /v1/fiscal-documents`. */
  readonly target: string
  /** The body as received, so that today's canonical rules can judge a retry across an upgrade. */
  readonly body: string
  readonly fingerprint: { readonly version: number; readonly digest: string }
  /**
   * The signed note of the erasure of metadata and the cashier's name from the body (Decisions §15, `Erasure`); absent where nothing was erased. The
   * fingerprint is that of the whole request.
   */
  readonly erasure?: string
}

/** The workflow a document is part of. */
export interface WorkflowLink {
  readonly type: "REFUND" | "ADVANCE" | "PROFORMA_TRAINING"
  readonly id: WorkflowId
}

/** A durable operation: one document, its request, its status and everything learned about it. Source: Spec, purpose 7. */
export interface Operation {
  readonly id: FiscalDocumentId
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientId: string
  readonly boundKey: BoundKey
  readonly content: DocumentContent
  readonly workflow: WorkflowLink | null
  readonly status: DocumentStatus
  /** Number of the latest attempt, 0 when none was made. */
  readonly attempt: number
  readonly failureCode: FailureCode | null
  readonly rejection: PfrRejection | null
  readonly answer: SignedAnswer | null
  readonly buyerDetails: BuyerDetails | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  /** When the service next asks the V-PFR; null when it will not. */
  readonly nextCheckAt: DateTime.Utc | null
  /**
   * Present while an item of the attention list is open that says that there may be a receipt which this document does not have: the status in the
   * store. `status` then says no more than is known (`whileInDoubt`).
   */
  readonly inDoubt?: DocumentStatus
}

/** How an attempt ended, as far as is known; null while it is in flight, or when its process ended before the outcome was stored. */
export type AttemptOutcome = "SIGNED" | "REJECTED" | "NOT_SENT" | "NO_ANSWER"

/** One try to have an operation signed. Its number is the fencing token. Source: Decisions §4. */
export interface Attempt {
  readonly operationId: FiscalDocumentId
  readonly number: number
  /** 32 hex characters, sent as the `RequestId` header: a new UUID without dashes, or derived from the document (`derivedRequestId`). */
  readonly requestId: string
  /** Where the RequestId is derived: tells apart the processes that try the same attempt. Null where the RequestId itself does. */
  readonly mark: string | null
  readonly elementId: SecurityElementId
  readonly jid: string
  readonly hostId: string
  readonly bootId: string
  readonly startedAt: DateTime.Utc
  readonly outcome: AttemptOutcome | null
  /**
   * What the last search by this RequestId showed: `found` when the V-PFR had a receipt under it that does not belong to this request. Null when
   * there was no search, or the last one got no answer.
   */
  readonly lastSearch: { readonly at: DateTime.Utc; readonly found: boolean } | null
}

/** The result of a search by an attempt's RequestId, where it found no receipt of this request. */
export type SearchFinding = "NOTHING" | "FOREIGN" | "NO_ANSWER"

/** The search as `Attempt.lastSearch` keeps it; null when the search got no answer. */
export const lastSearchOf = (finding: SearchFinding, at: DateTime.Utc): Attempt["lastSearch"] =>
  finding === "NO_ANSWER" ? null : { at, found: finding === "FOREIGN" }

/**
 * How a search that found no receipt of the request ends. Only where the V-PFR answered for every attempt may it be kept as having found nothing: an
 * operator relies on that to decide that no receipt was issued.
 */
export const searchEnding = (findings: ReadonlyArray<SearchFinding>): "notFound" | "searchUnanswered" =>
  findings.length > 0 && !findings.includes("NO_ANSWER") ? "notFound" : "searchUnanswered"

/** One transition of a document's status, append-only. `cause` names the event. */
export interface Transition {
  readonly from: DocumentStatus | null
  readonly to: DocumentStatus
  readonly at: DateTime.Utc
  readonly cause: DocumentEvent
  /** `api:<host>`, `worker:<host>` or `operator:<name>`. */
  readonly actor: string
  readonly attempt: number
}

/** Something an operator must look at. Decisions §4. */
export interface AttentionItem {
  readonly kind: string
  readonly detail: string
  /** Text kept as evidence (a foreign answer, a second receipt), or null. */
  readonly evidence: string | null
}
