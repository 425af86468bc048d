import { Context, type Effect, type Option } from "effect"
import type { OperatorsDeed } from "../activity/Activity.ts"
import type { DocumentEvent } from "../documents/documentTransitions.ts"
import type { FailureCode } from "../documents/DocumentStatus.ts"
import type { PfrRejection, SignedAnswer } from "../documents/PfrResult.ts"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Attempt, AttemptOutcome, AttentionItem, KeyRole, Operation, SearchFinding, Transition, WorkflowLink } from "../operations/Operation.ts"
import type { BuyerDetails } from "../parties/Buyer.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A new operation as the first commit stores it. Its status is SUBMITTING with an attempt, or NOT_FISCALIZED without. */
export interface Reservation {
  readonly operation: Operation
  readonly attempt: Attempt | null
  readonly transitions: ReadonlyArray<Transition>
  /** How long the attempt counts as in flight, in milliseconds from the store's own clock. */
  readonly leaseMillis: number
}

export type Reserved =
  | { readonly _tag: "Reserved" }
  /** The key is taken (in any environment); the caller decides by its holder. */
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/**
 * A new attempt for an operation that is NOT_FISCALIZED, or the first of a copy that was reserved unsent (VALIDATED). An operation in doubt gets none
 * (`whileInDoubt`).
 */
export interface Redrive {
  readonly operation: Operation
  readonly attempt: Attempt
  readonly transition: Transition
  readonly leaseMillis: number
  /** Where an operator has it sent: the line of the activity log, written in the same commit. */
  readonly deed?: OperatorsDeed
}

/** An outcome to store. The store applies it only where `documentTransitions` allows `event` from the stored status. */
export interface Conclusion {
  readonly organizationId: OrganizationId
  readonly operationId: FiscalDocumentId
  /** The operation's workflow; concluding one of its documents stores more than the document (ports/RefundStore). */
  readonly workflow: WorkflowLink | null
  readonly attempt: number
  readonly event: DocumentEvent
  readonly at: Transition["at"]
  readonly actor: string
  readonly attemptOutcome: AttemptOutcome | null
  readonly failureCode: FailureCode | null
  readonly rejection: PfrRejection | null
  readonly answer: SignedAnswer | null
  /** The V-PFR's complete answer where it is not a signed one; kept with the attempt as evidence. */
  readonly answerText: string | null
  readonly buyerDetails: BuyerDetails | null
  /** From the store's clock; null for never. */
  readonly nextCheckAfterMillis: number | null
  readonly attention: ReadonlyArray<AttentionItem>
  /** Where an operator decides: the line of the activity log, written in the same commit, and only where the conclusion is applied. */
  readonly deed?: OperatorsDeed
}

export type Concluded =
  | { readonly _tag: "Applied"; readonly operation: Operation }
  /** The stored status or attempt has changed meanwhile, or the actor may not cause the event (`mayCause`); nothing was changed. */
  | { readonly _tag: "Superseded"; readonly current: Operation }
  /** The invoice number is already another document's; nothing was changed. */
  | { readonly _tag: "NumberTaken"; readonly current: Operation }
  /** The store does not know the operation: a failover lost its acknowledged first commit. The caller reserves it again. */
  | { readonly _tag: "Missing" }

/** An unresolved operation claimed for a search, with every attempt that may have reached the V-PFR. */
export interface ClaimedCheck {
  readonly operation: Operation
  readonly attempts: ReadonlyArray<Attempt>
  /** How often it was searched since its last attempt. */
  readonly checks: number
}

/**
 * The durable store of operations. Every method that changes something is one atomic, durable commit: when it succeeds, the change survives a crash
 * of this process and of the store. Reads are limited to one organization and environment, and answer an operation in doubt as `whileInDoubt` says.
 *
 * Leases use the store's clock alone, so that hosts with different clocks agree on when one has ended.
 */
export class OperationStore extends Context.Service<OperationStore, {
  /** Commit 1. Idempotent by operation id: reserving the same operation again answers `Reserved`. */
  readonly reserve: (reservation: Reservation) => Effect.Effect<Reserved, StoreUnavailable>
  /** Compare-and-set from the transition's status to SUBMITTING, on the previous attempt; false when another request won. Its searches are counted anew. */
  readonly redrive: (redrive: Redrive) => Effect.Effect<boolean, StoreUnavailable>
  /** Commit 2, and every later outcome. */
  readonly conclude: (conclusion: Conclusion) => Effect.Effect<Concluded, StoreUnavailable>
  /** SUBMITTING or RECONCILING past its lease on the store's clock → OUTCOME_UNKNOWN; answers the operation as it is afterwards. */
  readonly expireLease: (
    operation: { readonly organizationId: OrganizationId; readonly operationId: FiscalDocumentId },
    actor: string,
    at: Transition["at"]
  ) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
  /** What has a key, in either environment: a document, the advance case it opened, the delivery it requested. */
  readonly findByKey: (
    key: { readonly organizationId: OrganizationId; readonly role: KeyRole; readonly key: string }
  ) => Effect.Effect<Option.Option<KeyHolder>, StoreUnavailable>
  readonly get: (tenant: Tenant, id: FiscalDocumentId) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/OperationStore") {}

/** What is kept of an attempt besides its facts: the V-PFR's answer where it was not a signed one. */
export interface AttemptEvidence {
  readonly number: number
  readonly answerText: string | null
}

/** The history of an operation, in the order of events; empty where there is no such operation. */
export class OperationHistory extends Context.Service<OperationHistory, {
  readonly transitions: (
    tenant: Tenant,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<Transition>, StoreUnavailable>
  readonly attempts: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<Attempt>, StoreUnavailable>
  readonly evidence: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<AttemptEvidence>, StoreUnavailable>
}>()("@overa/domain/ports/OperationHistory") {}

/** An attempt that the store lost, as the process that made it gives it back. */
export interface LostAttempt {
  readonly attempt: Attempt
  /** The document as that process knows it: the store may have lost it too. */
  readonly of: Operation
  readonly actor: string
}

/**
 * The worker's view of the same store: leases that ended, searches that are due. Claims are leased, so two workers never work on the same operation
 * at once, and the claims of a worker that crashed become free again.
 */
export class UnresolvedOperations extends Context.Service<UnresolvedOperations, {
  /** SUBMITTING or RECONCILING past its lease → OUTCOME_UNKNOWN, due at once; how many were moved (at most `limit`). */
  readonly expireLeases: (actor: string, at: Transition["at"], limit: number) => Effect.Effect<number, StoreUnavailable>
  /** Ends the leases that earlier processes of this host left; only the holder of the host's lock may call it. */
  readonly endLeasesOfEarlierBoots: (
    host: { readonly hostId: string; readonly bootId: string },
    actor: string,
    at: Transition["at"]
  ) => Effect.Effect<number, StoreUnavailable>
  /** Due operations, oldest first; OUTCOME_UNKNOWN ones move to RECONCILING under a lease. */
  readonly claimDue: (
    options: {
      readonly limit: number
      readonly leaseMillis: number
      readonly actor: string
      readonly hostId: string
      readonly at: Transition["at"]
    }
  ) => Effect.Effect<ReadonlyArray<ClaimedCheck>, StoreUnavailable>
  /**
   * Records a search that found no receipt, ends the claim and sets the operation's next check. A document that the service itself sends keeps the
   * check it has where the search names none, so that it is never left without one.
   */
  readonly recordSearch: (
    search: {
      readonly organizationId: OrganizationId
      readonly operationId: FiscalDocumentId
      readonly at: Transition["at"]
      readonly actor: string
      /** Every attempt that was searched without finding a receipt; the new finding replaces that of an earlier search. */
      readonly searches: ReadonlyArray<{ readonly attempt: number; readonly finding: SearchFinding }>
      readonly nextCheckAfterMillis: number | null
    }
  ) => Effect.Effect<void, StoreUnavailable>
  /** Makes an element's unresolved operations due now, because the element answered again. */
  readonly makeDue: (elementId: SecurityElementId) => Effect.Effect<void, StoreUnavailable>
  /**
   * Puts items on the attention list, each finding once. An open item of `doubtKinds` leaves the operation in doubt, from the same commit on.
   *
   * `lost`: an attempt at the operation's own request that the store lost. It becomes the operation's newest attempt in the same commit and is searched
   * for from now on, without a change of status; once. An attempt that is stored with the same derived RequestId is searched for instead, whatever its
   * outcome: the V-PFR does not tell the two apart. Where the operation is lost too, the attempt is kept for the document that has its key next.
   */
  readonly raise: (
    operation: { readonly organizationId: OrganizationId; readonly operationId: FiscalDocumentId },
    items: ReadonlyArray<AttentionItem>,
    at: Transition["at"],
    lost?: LostAttempt
  ) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/UnresolvedOperations") {}
