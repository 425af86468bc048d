import { Context, type Effect, Schema } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { Receipt, Representation, RepresentationFormat } from "../documents/Representation.ts"

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
