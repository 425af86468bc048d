import { Context, type Effect, type Option } from "effect"
import type { DocumentEvent } from "../documents/documentTransitions.ts"
import type { FailureCode } from "../documents/FailureCode.ts"
import type { PfrRejection } from "../documents/PfrRejection.ts"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Attempt, AttemptOutcome, AttentionItem, KeyRole, Operation, SearchFinding, Transition, WorkflowLink } from "../operations/Operation.ts"
import type { BuyerDetails } from "../parties/BuyerDetails.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A new operation as the first commit stores it. Its status is SUBMITTING with an attempt, or NOT_FISCALIZED without. */
export interface Reservation {
  readonly operation: Operation
  readonly attempt: Attempt | null
  readonly transitions: ReadonlyArray<Transition>
  /** How long from the store's own clock the attempt may be considered alive. */
  readonly leaseMillis: number
}

export type Reserved =
  | { readonly _tag: "Reserved" }
  /** The key is taken (in any environment): what has it decides. */
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/** A new attempt for an operation that is NOT_FISCALIZED, or the first of a copy that was reserved unsent (VALIDATED). */
export interface Redrive {
  readonly operation: Operation
  readonly attempt: Attempt
  readonly transition: Transition
  readonly leaseMillis: number
}

/** An outcome to store. The store applies it only where `documentTransitions` allows `event` from the stored status. */
export interface Conclusion {
  readonly organizationId: OrganizationId
  readonly operationId: FiscalDocumentId
  /** The operation's workflow; concluding its documents settles more than the document (ports/RefundStore). */
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
}

export type Concluded =
  | { readonly _tag: "Applied"; readonly operation: Operation }
  /** The stored status or attempt has moved on, or the actor may not cause the event (`mayCause`); nothing was changed. */
  | { readonly _tag: "Superseded"; readonly current: Operation }
  /** The invoice number is already another document's; nothing was changed. */
  | { readonly _tag: "NumberTaken"; readonly current: Operation }
  /** The store does not know the operation: a failover lost its acknowledged first commit. The caller reserves it again. */
  | { readonly _tag: "Missing" }

/** An unresolved operation claimed for a search, with every attempt that may have reached the V-PFR. */
export interface ClaimedCheck {
  readonly operation: Operation
  readonly attempts: ReadonlyArray<Attempt>
  /** How often it was searched before. */
  readonly checks: number
}

/**
 * The durable home of operations. Every method that changes something is one atomic, durable commit: when it succeeds, the change
 * survives the death of this process and of the store. Reads are held to organization and environment.
 *
 * Leases live on the store's clock alone, so that hosts with different clocks agree on when one has ended.
 */
export class OperationStore extends Context.Service<OperationStore, {
  /** Commit 1. Idempotent by operation id: reserving the same operation again answers `Reserved`. */
  readonly reserve: (reservation: Reservation) => Effect.Effect<Reserved, StoreUnavailable>
  /** Compare-and-set from the transition's status to SUBMITTING on the attempt before; false when another won. */
  readonly redrive: (redrive: Redrive) => Effect.Effect<boolean, StoreUnavailable>
  /** Commit 2, and every later outcome. */
  readonly conclude: (conclusion: Conclusion) => Effect.Effect<Concluded, StoreUnavailable>
  /** SUBMITTING or RECONCILING past its lease on the store's clock → OUTCOME_UNKNOWN; answers the operation as it then stands. */
  readonly expireLease: (
    operation: { readonly organizationId: OrganizationId; readonly operationId: FiscalDocumentId },
    actor: string,
    at: Transition["at"]
  ) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
  /** What has a key, in whichever environment: a document, the advance case it opened, the delivery it asked for. */
  readonly findByKey: (
    key: { readonly organizationId: OrganizationId; readonly role: KeyRole; readonly key: string }
  ) => Effect.Effect<Option.Option<KeyHolder>, StoreUnavailable>
  readonly get: (tenant: Tenant, id: FiscalDocumentId) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/OperationStore") {}

/** What an attempt left behind besides its facts: the V-PFR's answer where it was no signed one. */
export interface AttemptEvidence {
  readonly number: number
  readonly answerText: string | null
}

/** What has happened to an operation so far, in the order it happened; empty where there is no such operation. */
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

/**
 * What the worker asks of the same store: leases that ended, searches that are due. Claims are leased, so that two workers never
 * work on the same operation at once and a dead one's claims return.
 */
export class UnresolvedOperations extends Context.Service<UnresolvedOperations, {
  /** SUBMITTING or RECONCILING past its lease → OUTCOME_UNKNOWN, due at once; how many were moved (at most `limit`). */
  readonly expireLeases: (actor: string, at: Transition["at"], limit: number) => Effect.Effect<number, StoreUnavailable>
  /** Ends the leases of earlier boots of this host; only the holder of the host's lock may call it. */
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
  /** Records a search that brought no receipt, puts the operation back and sets its next check. */
  readonly recordSearch: (
    search: {
      readonly organizationId: OrganizationId
      readonly operationId: FiscalDocumentId
      readonly at: Transition["at"]
      readonly actor: string
      /** Every attempt that was searched for without a receipt; what an earlier search showed of it counts no more. */
      readonly searches: ReadonlyArray<{ readonly attempt: number; readonly finding: SearchFinding }>
      readonly nextCheckAfterMillis: number | null
    }
  ) => Effect.Effect<void, StoreUnavailable>
  /** Makes an element's unresolved operations due now: it answered again. */
  readonly makeDue: (elementId: SecurityElementId) => Effect.Effect<void, StoreUnavailable>
  readonly raise: (
    operation: { readonly organizationId: OrganizationId; readonly operationId: FiscalDocumentId },
    items: ReadonlyArray<AttentionItem>,
    at: Transition["at"]
  ) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/UnresolvedOperations") {}
