import { Context, type Effect } from "effect"
import type { LogReport } from "../journal-log/LogFinding.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The verification of the journal's logs against the rows they were made from, for an operator. Reads only. */
export class JournalAudit extends Context.Service<JournalAudit, {
  /** Every log of the installation, one after another. */
  readonly verify: Effect.Effect<ReadonlyArray<LogReport>, StoreUnavailable>
}>()("@overa/domain/ports/JournalAudit") {}
