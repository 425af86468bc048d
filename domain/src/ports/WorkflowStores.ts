import { Context, type Effect, type Option, type Result } from "effect"
import type { OpenedAdvanceCase, StoredAdvanceCase } from "../advances/AdvanceCase.ts"
import type { AdvanceCaseFilter } from "../advances/AdvanceCaseFilter.ts"
import type { JournalCursor } from "../journal/JournalCursor.ts"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import type { SourceRefund } from "../proforma-training/ProformaTrainingWorkflow.ts"
import type { RefundEntry, RefundLedger } from "../refunds/RefundLedger.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, OrganizationId, WorkflowId } from "../tenancy/identifiers.ts"
import type { Redrive, Reservation, Reserved } from "./OperationStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The first commit of a refund: the refund document, its workflow, and the quantities and amounts it holds of the original's lines. */
export interface RefundReservation {
  readonly reservation: Reservation
  readonly workflowId: WorkflowId
  readonly originalId: FiscalDocumentId
  /** The id its cash copy will have; null when no cash is given back. */
  readonly copyId: FiscalDocumentId | null
  readonly entries: ReadonlyArray<RefundEntry>
}

/**
 * A refund workflow as stored; its status is derived from its documents. The refund document names the original with its number and time, so the
 * workflow can be read also where a failover has lost the original.
 */
export interface StoredRefund {
  readonly id: WorkflowId
  readonly refund: Operation
  readonly copyId: FiscalDocumentId | null
  /** Null until the refund is a receipt. */
  readonly copy: Operation | null
  /** What it took of the original's lines when it was reserved. */
  readonly entries: ReadonlyArray<RefundEntry>
}

/** What a first commit stored, or the holder of its key. */
export type RefundReserved =
  | { readonly _tag: "Reserved"; readonly kept: RefundReservation }
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/**
 * Refund workflows and the ledgers of refunded lines. Concluding a refund document (through `OperationStore.conclude`) also consumes or releases its
 * hold and, for cash, reserves its copy unsent: one commit, whoever concludes the document and however late (Decisions §5).
 */
export class RefundStore extends Context.Service<RefundStore, {
  /** What refunds have consumed and hold of a receipt's lines. */
  readonly ledger: (original: Operation) => Effect.Effect<RefundLedger, StoreUnavailable>
  /**
   * Commit 1. Refunds of one original are serialized: no other refund can change the ledger that `decide` sees before the commit. When `decide`
   * refuses, nothing is stored.
   */
  readonly reserve: <E>(
    original: Operation,
    decide: (ledger: RefundLedger) => Result.Result<RefundReservation, E>
  ) => Effect.Effect<Result.Result<RefundReserved, E>, StoreUnavailable>
  /**
   * Commit 1 once more, after the store lost it: holds the same quantities, whatever others took since. Idempotent by workflow id. Lines of which
   * more is taken than was sold go to the attention list, and so does an original that is not stored any more (`originalLost`).
   */
  readonly reserveAgain: (original: Operation, kept: RefundReservation) => Effect.Effect<RefundReserved, StoreUnavailable>
  readonly get: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Option.Option<StoredRefund>, StoreUnavailable>
}>()("@overa/domain/ports/RefundStore") {}

/** The result of opening a case under a key. */
export type CaseOpened =
  | { readonly _tag: "Opened" }
  /** The key has opened a case before. */
  | { readonly _tag: "CaseKnown"; readonly existing: OpenedAdvanceCase }
  /** The key is a document's or a delivery's. */
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/** The result of reserving documents of a case. */
export type CaseReserved =
  | { readonly _tag: "Reserved"; readonly kept: ReadonlyArray<Reservation> }
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/**
 * Advance cases. A case is a record that never changes; its documents are operations. Concluding one of them (through `OperationStore.conclude`) also
 * stores what follows from it: the signed copy of a cash cancellation, the final sale after the Advance Refund of a closing (`advanceEffects`). It is
 * one commit, whoever concludes the document and however late.
 */
export class AdvanceCases extends Context.Service<AdvanceCases, {
  /** One commit holds the case and its key. Idempotent by case id: opening the same case again answers `Opened`. */
  readonly open: (opened: OpenedAdvanceCase) => Effect.Effect<CaseOpened, StoreUnavailable>
  readonly get: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Option.Option<StoredAdvanceCase>, StoreUnavailable>
  /** A case without its documents, in whichever environment: by its id, or by the key that opened it. */
  readonly find: (
    organizationId: OrganizationId,
    by: { readonly id: WorkflowId } | { readonly key: string }
  ) => Effect.Effect<Option.Option<OpenedAdvanceCase>, StoreUnavailable>
  /**
   * The first commit of one document, or of the two documents of a closing. Mutations of one case are serialized: no other mutation can change the
   * documents that `decide` sees before the commit. When `decide` refuses, nothing is stored. A document that is stored unsent and that the service
   * carries on is due from this commit on (`dueAfterReservation`).
   */
  readonly reserve: <E>(
    opened: OpenedAdvanceCase,
    decide: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>
  ) => Effect.Effect<Result.Result<CaseReserved, E>, StoreUnavailable>
  /** Stores a reservation again, after the store lost it. */
  readonly reserveAgain: (
    opened: OpenedAdvanceCase,
    kept: ReadonlyArray<Reservation>
  ) => Effect.Effect<CaseReserved, StoreUnavailable>
  /** The next attempt of a document of the case, decided under the same serialization; false when another request won. */
  readonly redrive: <E>(
    opened: OpenedAdvanceCase,
    redrive: Redrive,
    decide: (documents: ReadonlyArray<Operation>) => Result.Result<void, E>
  ) => Effect.Effect<Result.Result<boolean, E>, StoreUnavailable>
}>()("@overa/domain/ports/AdvanceCases") {}

/** The list of a tenant's cases, also of those without documents. */
export class AdvanceCaseList extends Context.Service<AdvanceCaseList, {
  /**
   * The cases that match behind a place, latest first (`compareInJournal`), at most `limit` of them. `matchesCaseFilter` defines what a filter selects.
   */
  readonly opened: (
    tenant: Tenant,
    filter: AdvanceCaseFilter,
    place: { readonly after: JournalCursor | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<OpenedAdvanceCase>, StoreUnavailable>
}>()("@overa/domain/ports/AdvanceCaseList") {}

/**
 * Proforma and training documents. A workflow is its one document; the only other stored fact is which sale a refund claims. Concluding the document
 * (through `OperationStore.conclude`) frees the sale if it was rejected, in the same commit (Decisions §5).
 */
export class ProformaTrainingDocuments extends Context.Service<ProformaTrainingDocuments, {
  /**
   * Commit 1. A refund claims its source in the same commit, so of any number of concurrent refunds only one is stored. The others get
   * `SourceClaimed` with the refund that has the claim, and nothing of them is stored. Idempotent by operation id.
   */
  readonly reserve: (
    reservation: Reservation
  ) => Effect.Effect<Reserved | { readonly _tag: "SourceClaimed"; readonly by: SourceRefund }, StoreUnavailable>
  /** The stored refunds of a sale, including failed ones. */
  readonly refundsOf: (tenant: Tenant, sourceId: FiscalDocumentId) => Effect.Effect<ReadonlyArray<SourceRefund>, StoreUnavailable>
  /** The document of a workflow. */
  readonly get: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/ProformaTrainingDocuments") {}
