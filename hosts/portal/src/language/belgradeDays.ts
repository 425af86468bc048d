import { belgradeDay, belgradeDayRange } from "@overa/domain"
import { DateTime, Option } from "effect"

const form = /^\d{4}-\d{2}-\d{2}$/

const zoned = (text: string): DateTime.Zoned | null => {
  if (!form.test(text)) return null
  const found = Option.getOrNull(DateTime.makeZoned(text, { timeZone: "Europe/Belgrade", adjustForTimeZone: true }))
  // 31 February would be taken as a day in March.
  return found !== null && belgradeDay(found) === text ? found : null
}

/**
 * The beginning of a day in Belgrade; null for what is no day.
 *
 * @example dayStart("2026-08-29") // 2026-08-28T22:00:00.000Z
 */
export const dayStart = (text: string): DateTime.Utc | null => {
  const found = zoned(text)
  return found === null ? null : DateTime.toUtc(found)
}

/** The end of a day in Belgrade, which is the beginning of the next one: half-open, also where the clocks change. */
export const dayEnd = (text: string): DateTime.Utc | null => {
  const found = zoned(text)
  return found === null ? null : belgradeDayRange(found).to
}
