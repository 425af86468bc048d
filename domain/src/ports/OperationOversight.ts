import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An operation whose outcome is not known, as the operator's list shows it; the rest is read through `OperationStore`. */
export interface UnresolvedEntry {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly id: FiscalDocumentId
  readonly status: DocumentStatus
  readonly createdAt: DateTime.Utc
  /** How often it was searched at the V-PFR since its last attempt. */
  readonly checks: number
  readonly nextCheckAt: DateTime.Utc | null
}

/** What an operator sees of operations with an unknown outcome. Read only; not used on a receipt's path. */
export class OperationOversight extends Context.Service<OperationOversight, {
  /** Oldest first. */
  readonly unresolved: (limit: number) => Effect.Effect<ReadonlyArray<UnresolvedEntry>, StoreUnavailable>
  readonly operation: (id: FiscalDocumentId) => Effect.Effect<Option.Option<UnresolvedEntry>, StoreUnavailable>
}>()("@overa/domain/ports/OperationOversight") {}
