import { DateTime } from "effect"

const belgrade = DateTime.zoneMakeNamedUnsafe("Europe/Belgrade")

const hourMillis = 3_600_000
/** The zone of the hour asked last: the clocks change at full hours of UTC only, and the database of zones is slow. */
let known: { readonly hour: number; readonly zone: DateTime.TimeZone } = { hour: Number.NaN, zone: belgrade }

const zoneAt = (instant: DateTime.DateTime): DateTime.TimeZone => {
  const hour = Math.floor(DateTime.toEpochMillis(instant) / hourMillis)
  if (hour !== known.hour) known = { hour, zone: DateTime.zoneMakeOffset(DateTime.zonedOffset(DateTime.setZone(instant, belgrade))) }
  return known.zone
}

/**
 * An instant as it is sent to the V-PFR: Belgrade local time with the offset valid at that instant (Decisions §1).
 *
 * @example belgradeTime(DateTime.makeUnsafe("2026-08-29T10:30:00Z")) // "2026-08-29T12:30:00.000+02:00"
 */
export const belgradeTime = (instant: DateTime.DateTime): string =>
  DateTime.formatIsoOffset(DateTime.setZone(instant, zoneAt(instant)))

/**
 * The Belgrade calendar day of an instant, the day of reports and of the earlier-payment rule (Decisions §1).
 *
 * @example belgradeDay(DateTime.makeUnsafe("2026-08-29T22:30:00Z")) // "2026-08-30"
 */
export const belgradeDay = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 10)

/** The Belgrade calendar month of an instant, `2026-08`. */
export const belgradeMonth = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 7)

/** Local date-time without offset, as tax-rate groups state their beginning (Spec, Resources, TaxRateConfiguration). */
export const belgradeLocalTime = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 19)

const fractionOfSecond = /\.(\d+)(?=Z|[+-]\d{2}:\d{2}$)/

/**
 * A date-time text as Belgrade local time with offset, its fraction of a second digit for digit as written. References to another ESIR's document use
 * it, because they must name exactly the time that was signed (Decisions §1).
 *
 * @param text A checked date-time, in full form with offset or `Z`.
 * @example belgradeTimeOf("2026-08-29T10:30:00.1234567Z") // "2026-08-29T12:30:00.1234567+02:00"
 */
export const belgradeTimeOf = (text: string): string => {
  const fraction = fractionOfSecond.exec(text)?.[0] ?? ""
  const local = belgradeTime(DateTime.makeUnsafe(text.replace(fractionOfSecond, "")))
  return `${local.slice(0, 19)}${fraction}${local.slice(23)}`
}

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

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Whether a day exists in the Gregorian calendar: 30 February does not, and is never rolled over into March (Decisions §1). */
export const isCalendarDate = (year: number, month: number, day: number): boolean => {
  const days = (daysInMonth[month - 1] ?? 0) + (month === 2 && isLeapYear(year) ? 1 : 0)
  return day >= 1 && day <= days
}
