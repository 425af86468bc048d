import { DateTime } from "effect"
import { belgradeDayRange } from "../time/belgradeRanges.ts"
import { belgradeDay } from "../time/belgradeTime.ts"
import type { TimeRange } from "./TimeRange.ts"

/** A range of time as whole days and what is left of it. Every instant of the range is in one of them, and no other instant is. */
export interface WholeDays {
  /** From a Belgrade day, `2026-08-29`, up to but without another; null is unbounded. Null where the range has no whole day. */
  readonly days: { readonly from: string | null; readonly before: string | null } | null
  /** What comes before the first whole day and after the last one; the range itself where it has no whole day. */
  readonly rest: ReadonlyArray<TimeRange>
}

/** The first beginning of a day that is not before an instant. */
const firstBegin = (instant: DateTime.Utc): DateTime.Utc => {
  const { from, to } = belgradeDayRange(instant)
  return DateTime.isLessThan(from, instant) ? to : from
}

/** Days are compared as texts, which is right up to the year 9999. */
const lastBegin = belgradeDayRange(DateTime.makeUnsafe("9999-12-31T12:00:00Z")).from

/** The whole Belgrade days of a range of time. */
export const wholeDays = (range: TimeRange): WholeDays => {
  const from = range.from === null ? null : firstBegin(range.from)
  const before = range.to === null ? null : DateTime.min(belgradeDayRange(range.to).from, lastBegin)
  if (from !== null && DateTime.isGreaterThanOrEqualTo(from, before ?? lastBegin)) return { days: null, rest: [range] }
  return {
    days: { from: from === null ? null : belgradeDay(from), before: before === null ? null : belgradeDay(before) },
    // Nothing is left where the bound begins a day, or where there is no bound.
    rest: [{ from: range.from, to: from }, { from: before, to: range.to }].filter(({ from, to }) => from?.epochMilliseconds !== to?.epochMilliseconds)
  }
}
