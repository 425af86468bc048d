import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OpenAttention } from "../operations/OpenAttention.ts"
import type { FiscalDocumentId, OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An item of the attention list, acknowledged or not. */
export interface AttentionEntry extends OpenAttention {
  readonly acknowledgedAt: DateTime.Utc | null
  readonly acknowledgedBy: string | null
  readonly acknowledgement: string | null
}

/** What an operator sees of the attention list. Read only; not used on a receipt's path. */
export class AttentionOversight extends Context.Service<AttentionOversight, {
  readonly attentionOf: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<AttentionEntry>, StoreUnavailable>
  readonly attention: (id: string) => Effect.Effect<Option.Option<AttentionEntry>, StoreUnavailable>
  /** Items nobody has acknowledged, oldest first; of every organization for null. */
  readonly openAttention: (organizationId: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OpenAttention>, StoreUnavailable>
}>()("@overa/domain/ports/AttentionOversight") {}
