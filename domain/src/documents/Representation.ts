import { Schema } from "effect"
import type { SignedAnswer } from "./PfrResult.ts"
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
