import { Context, type DateTime, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { TakeBack } from "../restore/planTakeBack.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * The result for an item that was to be restored. `KNOWN`: its receipt is stored, or all its attempts are. `ATTEMPT_PUT_BACK`: the document is stored,
 * and now also the attempts that it was without, so that they are searched for. `KEPT`: the attempts of a document that the service makes of another
 * one are kept, and put into it as soon as it is there and may be sent. `KEY_HELD`: only its key can be, and is, held. `UNRESOLVED`: the document is
 * stored, but its outcome is still unknown, and the item does not say what to search for. `UNSIGNED`: it may have a receipt that the database does not
 * know, and would be sent again; where the document is stored and still has no such receipt when the restore is ended, a person is told on the attention
 * list. `KEY_TAKEN`: another operation has its key.
 */
export type PutBack = "PUT_BACK" | "ATTEMPT_PUT_BACK" | "KEPT" | "KNOWN" | "KEY_HELD" | "UNRESOLVED" | "UNSIGNED" | "KEY_TAKEN"

/**
 * The declaration that the database was restored to an earlier point in time. While it is set nothing is issued, in either environment: running hosts
 * notice it within two seconds. Every act is one commit together with its line in the activity log. Source: Decisions §15.
 */
export class RestoreActs extends Context.Service<RestoreActs, {
  /** Refused where a restore is declared already. */
  readonly begin: (act: Act, since: DateTime.Utc) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Stores an operation or a key again that the restore lost, or the attempts that the restore lost of a stored operation, whatever its status. The
   * state after several items does not depend on their order. Refused if no restore is declared.
   */
  readonly putBack: (act: Act, taken: Exclude<TakeBack, { readonly _tag: "Nothing" }>) => Effect.Effect<PutBack, ActRefused | StoreUnavailable>
  /**
   * Holds the keys of the documents that were not restored themselves, and puts on the attention list those of which a receipt was kept that they do not
   * have. Refused where none is declared.
   */
  readonly end: (act: Act) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** The time since which receipts may be missing; null where no restore is declared. */
  readonly since: Effect.Effect<DateTime.Utc | null, StoreUnavailable>
}>()("@overa/domain/ports/RestoreActs") {}
