import { Context, type Effect, type Option, type Result } from "effect"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import type { RefundEntry, RefundLedger } from "../refunds/RefundLedger.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import type { Reservation } from "./OperationStore.ts"
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
