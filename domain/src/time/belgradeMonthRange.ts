import { DateTime } from "effect"

const belgrade = DateTime.zoneMakeNamedUnsafe("Europe/Belgrade")

/**
 * The Belgrade calendar month an instant lies in, half-open. Its length is not a whole number of days in the months in which the
 * clocks change.
 *
 * @example belgradeMonthRange(DateTime.makeUnsafe("2026-08-29T10:00:00Z")).from // 2026-07-31T22:00:00.000Z
 */
export const belgradeMonthRange = (
  instant: DateTime.DateTime
): { readonly from: DateTime.Utc; readonly to: DateTime.Utc } => {
  const from = DateTime.startOf(DateTime.setZone(instant, belgrade), "month")
  const to = DateTime.startOf(DateTime.add(from, { months: 1 }), "month")
  return { from: DateTime.toUtc(from), to: DateTime.toUtc(to) }
}
