import { Context, type Effect, type Option, type Result } from "effect"
import type { OpenedAdvanceCase, StoredAdvanceCase } from "../advances/StoredAdvanceCase.ts"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { OrganizationId, WorkflowId } from "../tenancy/identifiers.ts"
import type { Redrive, Reservation } from "./OperationStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

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
  /** The case that a key opened, in whichever environment. */
  readonly findByKey: (organizationId: OrganizationId, key: string) => Effect.Effect<Option.Option<OpenedAdvanceCase>, StoreUnavailable>
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
