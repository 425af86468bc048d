import type { ReceiptLayout } from "./layout/ReceiptLayout.ts"

/** What is drawn in a process of its own: plain data in, bytes out. */
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

/** What a drawing process answers. */
export type DrawAnswer = { readonly rendered: Rendered } | { readonly bug: unknown }
