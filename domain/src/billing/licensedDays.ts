import { DateTime } from "effect"
import type { License, LicenseModule } from "../licensing/licenseGate.ts"
import { type CalendarMonth, daysOfMonth, monthOf, monthRange, monthsLater } from "../time/CalendarMonth.ts"
import type { PriceList } from "./PriceList.ts"

/** A licence as it was from an instant on, until the next change. */
export interface LicenseChange extends License {
  readonly changedAt: DateTime.Utc
}

/** The number of charged days of a month. */
export interface LicensedDays {
  readonly license: number
  readonly modules: Readonly<Record<LicenseModule, number>>
  /** The number of days of the month. */
  readonly ofMonth: number
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly modules: ReadonlyArray<LicenseModule>
}

const millis = DateTime.toEpochMillis

/** The periods in which the licence was in force, with their modules; half-open. */
const stretchesOf = (changes: ReadonlyArray<LicenseChange>): ReadonlyArray<Stretch> => {
  const ordered = changes.toSorted((one, other) => millis(one.changedAt) - millis(other.changedAt))
  return ordered.flatMap((change, index) => {
    const next = ordered[index + 1]
    const from = Math.max(millis(change.changedAt), millis(change.startsAt))
    const to = Math.min(
      next === undefined ? Number.POSITIVE_INFINITY : millis(next.changedAt),
      change.expiresAt === null ? Number.POSITIVE_INFINITY : millis(change.expiresAt)
    )
    return change.suspended || from >= to ? [] : [{ from, to, modules: change.modules }]
  })
}

/**
 * A day is charged if the licence was in force, or the module licensed, at any moment of it. If a licence begins, ends, is suspended or changes in
 * the middle of the month, only the days on which it could be used are charged.
 *
 * @param changes All changes of the organization's licence; of two at one instant, the later one in the list is valid.
 */
export const licensedDays = (changes: ReadonlyArray<LicenseChange>, month: CalendarMonth): LicensedDays => {
  const stretches = stretchesOf(changes)
  const days = daysOfMonth(month)
  const touched = (some: ReadonlyArray<Stretch>): number =>
    days.filter((day) => some.some(({ from, to }) => from < millis(day.to) && to > millis(day.from))).length
  const withModule = (module: LicenseModule): number => touched(stretches.filter(({ modules }) => modules.includes(module)))
  return { license: touched(stretches), modules: { advance: withModule("advance"), email: withModule("email") }, ofMonth: days.length }
}

/** A month stays open for so long after its end: documents in flight at midnight have their outcome by then. */
export const closingMarginHours = 24

/** A month that was open for this many months is closed only by the operator's command. */
export const monthsLookedBack = 12

/** Whether a month may be closed: it ended in Belgrade, and the margin after it is over. */
export const mayClose = (month: CalendarMonth, now: DateTime.DateTime): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.add(monthRange(month).to, { hours: closingMarginHours }))

/** The months that may be closed now, oldest first: those with prices, at most the last twelve. */
export const monthsToClose = (lists: ReadonlyArray<PriceList>, now: DateTime.DateTime): ReadonlyArray<CalendarMonth> => {
  const running = monthOf(now)
  const begins = lists.map(({ validFrom }) => validFrom).toSorted()[0]
  const last = Array.from({ length: monthsLookedBack }, (_, index) => monthsLater(running, index - monthsLookedBack))
  return last.filter((month) => begins !== undefined && month >= begins && mayClose(month, now))
}
