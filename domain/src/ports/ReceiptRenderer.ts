import { Context, type Effect, type Option, Schema } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { Branding } from "../documents/Branding.ts"
import type { Receipt, Representation, RepresentationFormat } from "../documents/Representation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The drawing queue is full or closed. The receipt itself is not affected and may be requested again. */
export class RenderingUnavailable extends Schema.TaggedError<RenderingUnavailable>()("RenderingUnavailable", {
  cause: Schema.Defect()
}) {}

/**
 * Draws receipts. The same receipt, branding and format give the same bytes within a layout version, and the fiscal part is the V-PFR's journal
 * unchanged (Decisions §6). Drawing runs outside of the event loop, and equal requests in flight share one drawing.
 */
export class ReceiptRenderer extends Context.Service<ReceiptRenderer, {
  /** The strong entity tag without quotes, computed without drawing: over document, branding version, format and layout version. */
  readonly entityTag: (receipt: Receipt, format: RepresentationFormat) => string
  /** `branding` is run only when the bytes have to be drawn. */
  readonly render: <E>(
    receipt: Receipt,
    branding: Effect.Effect<Branding | null, E>,
    format: RepresentationFormat
  ) => Effect.Effect<Representation, RenderingUnavailable | E>
}>()("@overa/domain/ports/ReceiptRenderer") {}

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
