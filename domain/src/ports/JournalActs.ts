import { Context, type Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An operator's acts on the journal's log. Every act is one commit together with its line in the activity log. */
export class JournalActs extends Context.Service<JournalActs, {
  /** A new key signs from the next checkpoint on; earlier keys stay known to verifiers. Answers its verifier key. */
  readonly rotateKey: (act: Act) => Effect.Effect<string, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/JournalActs") {}
