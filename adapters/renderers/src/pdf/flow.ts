import type { BrandingLogo } from "@overa/domain"
import type { FontName } from "./receiptFonts.ts"

/** Share of a line's height above the baseline. */
export const baseline = 0.77

/** Text at a place: `x` from the page's left edge, `dy` from the top of its row to the baseline. Points. */
export interface Run {
  readonly font: FontName
  readonly size: number
  readonly x: number
  readonly dy: number
  readonly text: string
  /** 0 black to 1 white; black when absent. */
  readonly grey?: number
  /** Share of its natural width the text is drawn at; 1 when absent. */
  readonly squeeze?: number
  /** Which table cell of the row it belongs to. */
  readonly cell?: number
}

/** A horizontal or vertical bar, from the top of its row. */
export interface Bar {
  readonly x: number
  readonly dy: number
  readonly width: number
  readonly height: number
  readonly grey: number
}

export type Picture =
  | { readonly kind: "qr"; readonly x: number; readonly width: number; readonly height: number }
  | {
    readonly kind: "logo"
    readonly logo: BrandingLogo
    readonly x: number
    readonly width: number
    readonly height: number
  }

/** A unit that is never split by the end of a page. */
export interface Row {
  readonly height: number
  readonly runs: ReadonlyArray<Run>
  readonly bars?: ReadonlyArray<Bar>
  readonly picture?: Picture
  /** Stays on the page of the row before it. */
  readonly stays?: boolean
  /** A table's row of column heads. */
  readonly heads?: boolean
}

/** One element of the document's structure: a screen reader reads it as one unit. */
export interface Group {
  readonly tag: "P" | "H2" | "Figure" | "Table"
  /** The alternative text of a figure. */
  readonly alt?: string
  readonly rows: ReadonlyArray<Row>
  /** The whole group, and the first row of the next one, stay on one page. */
  readonly keepWithNext?: boolean
}

/** A group without content: white space. */
export const space = (height: number): Group => ({ tag: "P", rows: [{ height, runs: [] }] })

