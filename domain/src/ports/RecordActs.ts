import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { AttentionItem } from "../operations/Operation.ts"
import type { OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The attention list and the activity log. Both only grow; an item is acknowledged, never removed. */
export class RecordActs extends Context.Service<RecordActs, {
  /**
   * With the last open item of `doubtKinds` about a document the doubt ends, in the same commit: the document is again what the store says, and may be
   * sent again where that says so.
   */
  readonly acknowledge: (act: Act, attentionId: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Puts an element on the list; false when an item of this kind already exists for it. */
  readonly raiseAboutElement: (
    element: { readonly organizationId: OrganizationId; readonly elementId: SecurityElementId },
    item: AttentionItem
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Writes an act done through another port, e.g. an operator's decision, into the log. */
  readonly record: (
    act: Act,
    deed: { readonly organizationId: OrganizationId | null; readonly act: string; readonly subject: string; readonly after: string }
  ) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/RecordActs") {}
