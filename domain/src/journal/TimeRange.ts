import { DateTime, Option } from "effect"
import { pfrInstant } from "../time/PfrTime.ts"

/** A stretch of time: from its lower bound, inclusive, up to its upper bound, exclusive; null is unbounded. Source: Spec, Limits. */
export interface TimeRange {
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Whether an instant lies in a range. Times are compared in milliseconds; ranges that meet hold every instant exactly once. */
export const isInRange = (instant: DateTime.Utc, { from, to }: TimeRange): boolean =>
  (from === null || DateTime.isGreaterThanOrEqualTo(instant, from)) && (to === null || DateTime.isLessThan(instant, to))

export const anyTime: TimeRange = { from: null, to: null }

export const isBounded = ({ from, to }: TimeRange): boolean => from !== null || to !== null

/** Whether a `pfr.sdcTime` lies in a range. What has none is outside of every bounded range. */
export const isSignedIn = (sdcTime: string | null | undefined, range: TimeRange): boolean => {
  if (!isBounded(range)) return true
  const instant = pfrInstant(sdcTime ?? "")
  return Option.isSome(instant) && isInRange(instant.value, range)
}
