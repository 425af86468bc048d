import { Context, type DateTime, type Effect, type Option } from "effect"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface ElementEntry {
  readonly organizationId: OrganizationId
  readonly taxIdentifier: string
  readonly tin: string
  readonly element: SecurityElement
}

export interface PoolEntry {
  readonly jid: string
  readonly subject: string
  readonly validTo: DateTime.Utc
  readonly addedAt: DateTime.Utc
}

/** What an operator sees of all security elements. Read only; not used on a receipt's path. */
export class ElementOversight extends Context.Service<ElementOversight, {
  /** Of one organization, or of all; those that expire first come first. */
  readonly elements: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<ElementEntry>, StoreUnavailable>
  readonly element: (id: SecurityElementId) => Effect.Effect<Option.Option<ElementEntry>, StoreUnavailable>
  readonly pool: Effect.Effect<ReadonlyArray<PoolEntry>, StoreUnavailable>
}>()("@overa/domain/ports/ElementOversight") {}
