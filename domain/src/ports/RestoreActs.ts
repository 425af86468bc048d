import { Context, type DateTime, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * The declaration that the database was restored to an earlier point. While it stands nothing is issued, in either environment: hosts that run
 * know of it within two seconds. Every act is one commit together with its line in the activity log. Source: Decisions §15.
 */
export class RestoreActs extends Context.Service<RestoreActs, {
  /** Refused where a restore is declared already. */
  readonly begin: (act: Act, since: DateTime.Utc) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Refused where none is declared. */
  readonly end: (act: Act) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** From when on receipts may be forgotten; null where no restore is declared. */
  readonly since: Effect.Effect<DateTime.Utc | null, StoreUnavailable>
}>()("@overa/domain/ports/RestoreActs") {}
