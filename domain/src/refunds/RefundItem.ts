import type { LineItem } from "../documents/LineItem.ts"

/** An item of a refund: a line of the original repeated, with the quantity that is given back. Source: Spec, refund-workflows. */
export interface RefundItem extends LineItem {
  readonly originalLineIndex: number
}
