import { Context, type Effect, Schema } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { Receipt, Representation, RepresentationFormat } from "../documents/Representation.ts"

/** The drawing queue is full or was closed; the receipt is unharmed and may be asked for again. */
export class RenderingUnavailable extends Schema.TaggedError<RenderingUnavailable>()("RenderingUnavailable", {
  cause: Schema.Defect()
}) {}

/**
 * Draws receipts. The same receipt, branding and format give the same bytes within a layout version, and the fiscal part is the
 * V-PFR's journal unchanged (Decisions §6). Drawing happens off the event loop and is shared between equal requests in flight.
 */
export class ReceiptRenderer extends Context.Service<ReceiptRenderer, {
  /** The strong entity tag without quotes, known without drawing: over document, branding version, format and layout version. */
  readonly entityTag: (receipt: Receipt, format: RepresentationFormat) => string
  /** `branding` is asked for only when the bytes have to be drawn. */
  readonly render: <E>(
    receipt: Receipt,
    branding: Effect.Effect<Branding | null, E>,
    format: RepresentationFormat
  ) => Effect.Effect<Representation, RenderingUnavailable | E>
}>()("@overa/domain/ports/ReceiptRenderer") {}
