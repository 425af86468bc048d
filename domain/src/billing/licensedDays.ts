import { DateTime } from "effect"
import type { License, LicenseModule } from "../licensing/License.ts"
import { type CalendarMonth, daysOfMonth } from "../time/CalendarMonth.ts"

/** A licence as it was from an instant on, until the next change. */
export interface LicenseChange extends License {
  readonly changedAt: DateTime.Utc
}

/** For how many days of a month an organization is charged. */
export interface LicensedDays {
  readonly license: number
  readonly modules: Readonly<Record<LicenseModule, number>>
  /** How many days the month has. */
  readonly ofMonth: number
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly modules: ReadonlyArray<LicenseModule>
}

const millis = DateTime.toEpochMillis

/** When the licence was in force, and with which modules; half-open. */
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
 * A day is charged when the licence was in force, or the module licensed, at any moment of it: begun, ended, suspended or changed in the
 * middle of the month, only the days count on which it could be used.
 *
 * @param changes All changes of the organization's licence; of two at one instant the later in the list holds.
 */
export const licensedDays = (changes: ReadonlyArray<LicenseChange>, month: CalendarMonth): LicensedDays => {
  const stretches = stretchesOf(changes)
  const days = daysOfMonth(month)
  const touched = (some: ReadonlyArray<Stretch>): number =>
    days.filter((day) => some.some(({ from, to }) => from < millis(day.to) && to > millis(day.from))).length
  const withModule = (module: LicenseModule): number => touched(stretches.filter(({ modules }) => modules.includes(module)))
  return { license: touched(stretches), modules: { advance: withModule("advance"), email: withModule("email") }, ofMonth: days.length }
}
