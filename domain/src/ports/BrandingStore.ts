import { Context, type Effect, type Option } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * The taxpayers' branding, kept as immutable versions. `save` adds a version and makes it the taxpayer's current one; versions in
 * use by documents are never changed or deleted.
 *
 * @example
 * const id = yield* store.save(tenant, taxpayerId, { logo: null, contactLines: ["Knjižara Zora"], thankYouNote: null })
 */
export class BrandingStore extends Context.Service<BrandingStore, {
  /** None when this tenant has no such version. */
  readonly find: (tenant: Tenant, brandingId: string) => Effect.Effect<Option.Option<Branding>, StoreUnavailable>
  /** Answers the new version's id, which documents reserved from now on carry. */
  readonly save: (tenant: Tenant, taxpayerId: TaxpayerId, branding: Branding) => Effect.Effect<string, StoreUnavailable>
}>()("@overa/domain/ports/BrandingStore") {}
