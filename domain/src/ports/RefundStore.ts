import { Context, type Effect, type Option, type Result } from "effect"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import type { RefundEntry, RefundLedger } from "../refunds/RefundLedger.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import type { Reservation } from "./OperationStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The first commit of a refund: the refund document, its workflow, and what it holds of the original's lines. */
export interface RefundReservation {
  readonly reservation: Reservation
  readonly workflowId: WorkflowId
  readonly originalId: FiscalDocumentId
  /** The id its cash copy will have; null when no cash is given back. */
  readonly copyId: FiscalDocumentId | null
  readonly entries: ReadonlyArray<RefundEntry>
}

/** A refund workflow as stored: its documents say everything about its status. */
export interface StoredRefund {
  readonly id: WorkflowId
  readonly original: Operation
  readonly refund: Operation
  readonly copyId: FiscalDocumentId | null
  /** Null until the refund is a receipt. */
  readonly copy: Operation | null
  /** What it took of the original's lines when it was reserved. */
  readonly entries: ReadonlyArray<RefundEntry>
}

/** What a first commit kept, or what has its key. */
export type RefundReserved =
  | { readonly _tag: "Reserved"; readonly kept: RefundReservation }
  | { readonly _tag: "KeyTaken"; readonly existing: KeyHolder }

/**
 * Refund workflows and the accounts of refunded lines. Concluding a refund document (through `OperationStore.conclude`) also settles
 * what it holds and, for cash, reserves its copy unsent: one commit, whoever concludes it and however late (Decisions §5).
 */
export class RefundStore extends Context.Service<RefundStore, {
  /** What refunds have taken and hold of a receipt's lines. */
  readonly ledger: (original: Operation) => Effect.Effect<RefundLedger, StoreUnavailable>
  /**
   * Commit 1. Refunds of one original are serialized: `decide` sees the account as no other refund can change it before the commit.
   * Its refusal stores nothing.
   */
  readonly reserve: <E>(
    original: Operation,
    decide: (ledger: RefundLedger) => Result.Result<RefundReservation, E>
  ) => Effect.Effect<Result.Result<RefundReserved, E>, StoreUnavailable>
  /**
   * Commit 1 once more, for a store that lost it: holds what was held, whatever others took since. Idempotent by workflow id. Lines of
   * which more is taken than was sold are raised for attention.
   */
  readonly reserveAgain: (original: Operation, kept: RefundReservation) => Effect.Effect<RefundReserved, StoreUnavailable>
  readonly get: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Option.Option<StoredRefund>, StoreUnavailable>
}>()("@overa/domain/ports/RefundStore") {}
