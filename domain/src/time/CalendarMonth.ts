import { DateTime, Schema } from "effect"
import { belgradeDay, belgradeDayRange, belgradeMonth, belgradeMonthRange } from "./belgradeTime.ts"

/** A calendar month in Belgrade, `2026-08`. Months compare as texts. */
export const CalendarMonth = Schema.String.check(Schema.isPattern(/^20\d{2}-(?:0[1-9]|1[0-2])$/)).pipe(Schema.brand("CalendarMonth"))
export type CalendarMonth = typeof CalendarMonth.Type

/** The month of a text, null where it is none. */
export const readMonth = (text: string): CalendarMonth | null => Schema.is(CalendarMonth)(text) ? text : null

/** The Belgrade month of an instant. */
export const monthOf = (instant: DateTime.DateTime): CalendarMonth => belgradeMonth(instant) as CalendarMonth

/** From a month's first midnight in Belgrade to the next month's; half-open. */
export const monthRange = (month: CalendarMonth): { readonly from: DateTime.Utc; readonly to: DateTime.Utc } =>
  belgradeMonthRange(DateTime.makeUnsafe(`${month}-15T12:00:00Z`))

/**
 * The month this many months later; earlier for a negative number.
 *
 * @example monthsLater(CalendarMonth.make("2026-12"), 1) // "2027-01"
 */
export const monthsLater = (month: CalendarMonth, months: number): CalendarMonth =>
  monthOf(DateTime.add(DateTime.makeUnsafe(`${month}-15T12:00:00Z`), { months }))

/** The Belgrade days of a month, each half-open; the days on which the clocks change have 23 and 25 hours. */
export const daysOfMonth = (month: CalendarMonth): ReadonlyArray<{ readonly from: DateTime.Utc; readonly to: DateTime.Utc }> => {
  const { to } = monthRange(month)
  const count = Number(belgradeDay(DateTime.subtract(to, { hours: 12 })).slice(8))
  return Array.from({ length: count }, (_, day) => belgradeDayRange(DateTime.makeUnsafe(`${month}-${String(day + 1).padStart(2, "0")}T12:00:00Z`)))
}
