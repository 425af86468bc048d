/** A finished PDF, and the code points no font had, which were drawn as the substitute. */
export interface PaintedPdf {
  readonly bytes: Uint8Array
  readonly missing: ReadonlyArray<number>
}
