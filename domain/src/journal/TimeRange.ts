import { DateTime } from "effect"

/** A stretch of time: from its lower bound, inclusive, up to its upper bound, exclusive; null is unbounded. Source: Spec, Limits. */
export interface TimeRange {
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Whether an instant lies in a range. Times are compared in milliseconds; ranges that meet hold every instant exactly once. */
export const isInRange = (instant: DateTime.Utc, { from, to }: TimeRange): boolean =>
  (from === null || DateTime.isGreaterThanOrEqualTo(instant, from)) && (to === null || DateTime.isLessThan(instant, to))
