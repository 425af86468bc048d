import { Context, type Effect, Schema } from "effect"
import type { Branding } from "../documents/Branding.ts"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import type { Operation } from "../operations/Operation.ts"

/** The seven representations of a receipt. Source: Spec, ReceiptRepresentations; Decisions §6. */
export const RepresentationFormat = Schema.Literals([
  "official-text",
  "canonical-json",
  "pdf-a4",
  "pdf-80mm",
  "pdf-58mm",
  "preview-png",
  "qr-svg"
])
export type RepresentationFormat = typeof RepresentationFormat.Type

/** A fiscalized operation with its signed answer; only such a one is a receipt. */
export interface Receipt {
  readonly operation: Operation
  readonly answer: SignedAnswer
}

/** A receipt as bytes, with what a transport needs to pass it on. */
export interface Representation {
  readonly bytes: Uint8Array
  /** With its parameters, e.g. `text/plain; charset=utf-8`. */
  readonly mediaType: string
  /** Built from the receipt number, ASCII, e.g. `YJLQTEQR-YJLQTEQR-11389-80mm.pdf`. */
  readonly fileName: string
}

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
