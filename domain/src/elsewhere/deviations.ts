import { BigDecimal } from "effect"
import { formatDecimal } from "../money/decimals.ts"

/** One point at which two sides differ; null on the side that has none. */
export interface Deviation {
  readonly what: string
  readonly theirs: string | null
  readonly ours: string | null
}

type Amount = BigDecimal.BigDecimal

/** An amount to the para. */
const para = (amount: Amount): string => formatDecimal(amount, 2)

/** The deviation of two amounts, where they are not the same. */
export const unlike = (what: string, theirs: Amount | null, ours: Amount | null, shown = para): ReadonlyArray<Deviation> => {
  if (theirs === ours || (theirs !== null && ours !== null && BigDecimal.Equivalence(theirs, ours))) return []
  return [{ what, theirs: theirs === null ? null : shown(theirs), ours: ours === null ? null : shown(ours) }]
}
