import { DateTime } from "effect"

const belgrade = DateTime.zoneMakeNamedUnsafe("Europe/Belgrade")

interface BelgradeRange {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

const rangeOf = (instant: DateTime.DateTime, unit: "day" | "month"): BelgradeRange => {
  const from = DateTime.startOf(DateTime.setZone(instant, belgrade), unit)
  const to = DateTime.startOf(DateTime.add(from, unit === "day" ? { days: 1 } : { months: 1 }), unit)
  return { from: DateTime.toUtc(from), to: DateTime.toUtc(to) }
}

/**
 * The Belgrade calendar month an instant lies in, half-open. Its length is not a whole number of days in the months in which the
 * clocks change.
 *
 * @example belgradeMonthRange(DateTime.makeUnsafe("2026-08-29T10:00:00Z")).from // 2026-07-31T22:00:00.000Z
 */
export const belgradeMonthRange = (instant: DateTime.DateTime): BelgradeRange => rangeOf(instant, "month")

/**
 * The Belgrade calendar day an instant lies in, half-open. The days on which the clocks change have 23 and 25 hours; they change at night, never at
 * midnight.
 *
 * @example belgradeDayRange(DateTime.makeUnsafe("2026-08-29T10:00:00Z")).from // 2026-08-28T22:00:00.000Z
 */
export const belgradeDayRange = (instant: DateTime.DateTime): BelgradeRange => rangeOf(instant, "day")
