import { DateTime } from "effect"
import * as fc from "fast-check"
import { isInRange } from "../../src/journal/JournalFilter.ts"
import { wholeDays } from "../../src/journal/turnoverParts.ts"
import { belgradeDay } from "../../src/time/belgradeTime.ts"
import { rule } from "./ruleBook.ts"

rule("DAYS-1", {
  says: "A report of a range of time may be summed from whole Belgrade days and from what is left at both ends: every instant of the range is in exactly " +
    "one of them, and no other instant is in any.",
  source: "Decisions §5, Reports; §1, DateTime"
}, ({ holds, holdsForEvery }) => {
  const at = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)
  const text = ({ days, rest }: ReturnType<typeof wholeDays>): string =>
    [`${days === null ? "none" : `${days.from ?? ""}..${days.before ?? ""}`}`, ...rest.map(({ from, to }) => [from, to].map((it) => it === null ? "" : DateTime.formatIso(it)).join("/"))].join(" ")
  const range = (from: string | null, to: string | null) => ({ from: from === null ? null : DateTime.makeUnsafe(from), to: to === null ? null : DateTime.makeUnsafe(to) })
  holdsForEvery("whole months, parts of a day, the change of clocks, and no bound", [
    ["2026-02-01T00:00:00+01:00", "2026-04-01T00:00:00+02:00", "2026-02-01..2026-04-01"],
    ["2026-08-29T10:00:00+02:00", "2026-08-29T18:00:00+02:00", "none 2026-08-29T08:00:00.000Z/2026-08-29T16:00:00.000Z"],
    ["2026-08-29T10:00:00+02:00", "2026-08-30T18:00:00+02:00", "none 2026-08-29T08:00:00.000Z/2026-08-30T16:00:00.000Z"],
    ["2026-03-28T23:59:59.999+01:00", "2026-03-30T00:00:00.001+02:00",
      "2026-03-29..2026-03-30 2026-03-28T22:59:59.999Z/2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z/2026-03-29T22:00:00.001Z"],
    ["2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00", "2026-10-25..2026-10-26"],
    [null, null, ".."],
    [null, "2026-08-29T00:00:00+02:00", "..2026-08-29"],
    ["2026-08-29T00:00:00.001+02:00", null, "2026-08-30.. 2026-08-28T22:00:00.001Z/2026-08-29T22:00:00.000Z"],
    [null, "9999-12-31T23:59:59Z", "..9999-12-31 9999-12-30T23:00:00.000Z/9999-12-31T23:59:59.000Z"],
    ["9999-12-31T23:59:59Z", null, "none 9999-12-31T23:59:59.000Z/"],
    ["2026-08-29T00:00:00+02:00", "2026-08-29T00:00:00+02:00", "none 2026-08-28T22:00:00.000Z/2026-08-28T22:00:00.000Z"]
  ] as const, ([from, to, says]) => text(wholeDays(range(from, to))) === says)
  const day = 86_400_000
  const around = fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    // Around the midnights of the two changes of the clocks.
    fc.tuple(fc.constantFrom(Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 9, 24, 22)), fc.integer({ min: -2, max: 2 }), fc.integer({ min: -3_600_001, max: 3_600_001 }))
      .map(([midnight, days, millis]) => midnight + days * day + millis)
  )
  const bound = fc.option(around, { freq: 4 })
  holds("every instant of the range once, and no other", { bounds: fc.tuple(bound, bound), instants: fc.array(around, { maxLength: 8 }) }, ({ bounds: [from, to], instants }) => {
    const asked = { from: from === null ? null : at(from), to: to === null ? null : at(to) }
    const { days, rest } = wholeDays(asked)
    const isInDays = (instant: DateTime.Utc): boolean => {
      const text = belgradeDay(instant)
      return days !== null && (days.from === null || text >= days.from) && (days.before === null || text < days.before)
    }
    const near = [from, to].flatMap((it) => it === null ? [] : [it - 1, it, it + 1, it + day])
    return [...instants, ...near].map(at).every((instant) =>
      [isInDays(instant), ...rest.map((it) => isInRange(instant, it))].filter(Boolean).length === (isInRange(instant, asked) ? 1 : 0))
  })
  holds("what is left is shorter than a day, where there is a whole day", { from: around, days: fc.integer({ min: 2, max: 400 }) }, ({ days, from }) => {
    const { rest } = wholeDays({ from: at(from), to: at(from + days * day) })
    return rest.every((it) => it.from !== null && it.to !== null && it.to.epochMilliseconds - it.from.epochMilliseconds < 25 * 3_600_000)
  })
})
