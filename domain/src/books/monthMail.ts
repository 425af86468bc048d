import { DateTime, Schema } from "effect"
import { closingMarginHours } from "../billing/licensedDays.ts"
import { type CalendarMonth, monthOf, monthRange, monthsLater } from "../time/CalendarMonth.ts"

/** The files of a month that a message leads to. */
export const MonthMailFormat = Schema.Literals(["xlsx", "csv", "pdf"])
export type MonthMailFormat = typeof MonthMailFormat.Type

/** The languages of the message and of its files. */
export const MonthMailLanguage = Schema.Literals(["sr-Cyrl", "sr-Latn", "en"])
export type MonthMailLanguage = typeof MonthMailLanguage.Type

/** What a person chose when the month was switched on. */
export interface MonthMailChoice {
  /** At least one. */
  readonly formats: ReadonlyArray<MonthMailFormat>
  readonly language: MonthMailLanguage
}

/** After the margin that closes a month, at an hour at which people are at work. */
const hourOfDay = 7

/** For so many days more a month waits for documents whose outcome is unknown; the VAT return is due ten days later. */
const daysOfWaiting = 3

/**
 * When a month's message is due: on the second day of the next month, at 7 in Belgrade. A day after the month's end the documents in flight at its midnight have their
 * outcome (docs/adr/0113).
 *
 * @example monthMailDueAt(CalendarMonth.make("2026-11")) // 2026-12-02T06:00:00.000Z
 */
export const monthMailDueAt = (month: CalendarMonth): DateTime.Utc => DateTime.add(monthRange(month).to, { hours: closingMarginHours + hourOfDay })

/** Until when a month waits for documents whose outcome is unknown: the fifth day at 7. From then on the message says how many there are. */
export const monthMailWaitsUntil = (month: CalendarMonth): DateTime.Utc => DateTime.add(monthMailDueAt(month), { hours: daysOfWaiting * 24 })

/** Whether the month's message is sent now; `undecided` counts the documents of the month whose outcome is not known. */
export const isMonthMailDue = (month: CalendarMonth, undecided: number, now: DateTime.DateTime): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, undecided === 0 ? monthMailDueAt(month) : monthMailWaitsUntil(month))

/** The first month of a person who switches it on now: the earliest one whose message is not due yet. */
export const firstMonthToMail = (now: DateTime.DateTime): CalendarMonth => {
  const before = monthsLater(monthOf(now), -1)
  return isMonthMailDue(before, 0, now) ? monthOf(now) : before
}

/** The latest month whose message is due. */
export const lastMonthToMail = (now: DateTime.DateTime): CalendarMonth => monthsLater(firstMonthToMail(now), -1)
