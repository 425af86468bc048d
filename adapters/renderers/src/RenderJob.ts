import type { ReceiptLayout } from "./layout/ReceiptLayout.ts"

/** A job for the drawing process: plain data in, bytes out. */
export interface RenderJob {
  readonly layout: ReceiptLayout
  readonly paper: "a4" | "80mm" | "58mm"
  readonly output: "pdf" | "png"
}

export interface Rendered {
  readonly bytes: Uint8Array
  /** Code points that were drawn as the substitute. */
  readonly missing: ReadonlyArray<number>
}

/** The answer of a drawing process. */
export type DrawAnswer = { readonly rendered: Rendered } | { readonly bug: unknown }
