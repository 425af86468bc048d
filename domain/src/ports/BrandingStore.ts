import { Context, type Effect, type Option, Schema } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { Act } from "../activity/Activity.ts"

/** Another person saved another version meanwhile; nothing was changed. */
export class BrandingChanged extends Schema.TaggedError<BrandingChanged>()("BrandingChanged", {}) {}

/**
 * The taxpayers' branding, kept as immutable versions. `save` adds a version and makes it the taxpayer's current one; versions in
 * use by documents are never changed or deleted.
 *
 * @example
 * const id = yield* store.save(act, tenant, taxpayerId, { logo: null, contactLines: ["Knjižara Zora"], thankYouNote: null })
 */
export class BrandingStore extends Context.Service<BrandingStore, {
  /** None when this tenant has no such version. */
  readonly find: (tenant: Tenant, brandingId: string) => Effect.Effect<Option.Option<Branding>, StoreUnavailable>
  /** The version that documents reserved now record; none when the taxpayer has none, or belongs to another tenant. */
  readonly current: (
    tenant: Tenant,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<Option.Option<{ readonly id: string; readonly branding: Branding }>, StoreUnavailable>
  /**
   * Answers the new version's id, which documents reserved from now on record. One commit with its line in the activity log. With `replaces`, it is
   * saved only while that version (null: none) is the current one.
   */
  readonly save: (
    act: Act,
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    branding: Branding,
    replaces?: string | null
  ) => Effect.Effect<string, BrandingChanged | StoreUnavailable>
}>()("@overa/domain/ports/BrandingStore") {}
