import { Context, type Effect, type Option } from "effect"
import type { Operation } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * A tenant's documents for a person who browses them, newest first. Every read is fast whatever the size of the store, because identifiers are in the
 * order of creation.
 */
export class RecentDocuments extends Context.Service<RecentDocuments, {
  /** Documents created before `before`, all when it is null. */
  readonly page: (
    tenant: Tenant,
    before: FiscalDocumentId | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Operation>, StoreUnavailable>
  /** Refunds of these documents and the copies that customers sign, in every status. */
  readonly refundsOf: (
    tenant: Tenant,
    originals: ReadonlyArray<FiscalDocumentId>,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Operation>, StoreUnavailable>
  /** The receipt with exactly this PFR number. */
  readonly withNumber: (tenant: Tenant, pfrNumber: string) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/RecentDocuments") {}
