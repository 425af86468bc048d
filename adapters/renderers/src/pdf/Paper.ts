/** A size of type: points, and the distance from line to line. */
export interface Type {
  readonly size: number
  readonly line: number
}

/** How a receipt is set on one paper. All lengths in points (1/72 inch). */
export interface Paper {
  readonly width: number
  /** The journal's forty columns: left edge and width of the whole column. */
  readonly column: { readonly x: number; readonly width: number; readonly type: Type }
  /** The double-size notice may be as wide as this. */
  readonly noticeWidth: number
  /**
   * The parts added by the service, inside the column and below the closing line. Every size is smaller than the column's, as the rulebook demands of what is
   * not the fiscal part (PRAV, article 12).
   */
  readonly own: { readonly x: number; readonly width: number; readonly type: Type; readonly small: Type; readonly heading: Type }
  /** Space around blocks. */
  readonly gap: number
  readonly logo: { readonly width: number; readonly height: number }
  /** Side of the printer's dot: the QR code's edges lie on whole ones. */
  readonly printerDot: number
  /** Side of one QR module for a symbol of so many modules. */
  readonly moduleSize: (modules: number) => number
  /** Tables with a row of column heads; otherwise each value under its own name. */
  readonly wideTables: boolean
}
