import { DateTime } from "effect"

const hour = 3_600_000

const inBelgrade = (millis: number) => DateTime.makeZonedUnsafe(millis, { timeZone: "Europe/Belgrade" })

/** What the calendar has between two moments, the end of a month and the changes of the clocks, as a shop in Belgrade sees it. */
export const calendarOf = (from: number, until: number): ReadonlyArray<string> => {
  const met = new Set<string>()
  for (let at = from; at + hour <= until; at += hour) {
    const [before, after] = [inBelgrade(at), inBelgrade(at + hour)]
    const [one, other] = [DateTime.toParts(before), DateTime.toParts(after)]
    if (one.month !== other.month) met.add("a month's end")
    const hours = (other.hour - one.hour + 24) % 24
    if (hours !== 1) met.add(hours === 0 ? "clocks set back" : "clocks set forward")
  }
  return [...met]
}
