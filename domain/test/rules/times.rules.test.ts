import { DateTime, Option } from "effect"
import * as fc from "fast-check"
import { canonicalInstant, requestInstant, requestTimeFault } from "../../src/requests/RequestTime.ts"
import { belgradeDay, belgradeLocalTime, belgradeMonth, belgradeMonthRange, belgradeTime, belgradeTimeOf, isCalendarDate } from "../../src/time/belgradeTime.ts"
import { pfrInstant } from "../../src/time/PfrTime.ts"
import { rule } from "./ruleBook.ts"

const epochMillis = fc.integer({ min: 0, max: 4_102_444_800_000 })
const at = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)

/** One instant written with an offset of whole quarters of an hour. */
const writtenWith = (millis: number, offsetMinutes: number): string => {
  const local = new Date(millis + offsetMinutes * 60_000).toISOString().slice(0, -1)
  const minutes = Math.abs(offsetMinutes)
  const two = (number: number) => String(number).padStart(2, "0")
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`
}

rule("TIME-1", {
  says: "Spellings of one instant with different offsets are one instant.",
  source: "Decisions §1, DateTime; Decisions §3"
}, ({ holds, holdsForEvery }) => {
  holds("in any offset", { millis: epochMillis, quarters: fc.integer({ min: -56, max: 56 }) }, ({ millis, quarters }) => {
    const text = writtenWith(millis, quarters * 15)
    const instant = requestInstant(text)
    return Option.isSome(instant) && DateTime.toEpochMillis(instant.value) === millis &&
      Option.getOrNull(canonicalInstant(text)) === Option.getOrNull(canonicalInstant(new Date(millis).toISOString()))
  })
  holdsForEvery("written canonically", [
    ["2026-08-29T12:30:00.50+02:00", "2026-08-29T10:30:00.5Z"],
    ["2026-08-29T10:30:00.000Z", "2026-08-29T10:30:00Z"],
    ["2024-02-29T17:07:27.4551405+01:00", "2024-02-29T16:07:27.4551405Z"],
    ["2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"]
  ], ([written = "", canonical]) => Option.getOrNull(canonicalInstant(written)) === canonical)
  holdsForEvery("what is no instant has none", ["2026-02-30T00:00:00Z", "2026-08-29", ""], (text) =>
    Option.isNone(requestInstant(text)) && Option.isNone(canonicalInstant(text)) && requestTimeFault(text) !== undefined)
})

rule("TIME-2", {
  says: "A day exists when the calendar has it: 30 February never, 29 February in leap years.",
  source: "Decisions §1, DateTime and Buyer forms"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("leap years: every fourth, not every hundredth, but every four hundredth",
    [[2024, true], [2026, false], [1900, false], [2000, true], [2100, false], [2400, true]] as const,
    ([year, leap]) => isCalendarDate(year, 2, 29) === leap && isCalendarDate(year, 2, 28) && !isCalendarDate(year, 2, 30))
  holdsForEvery("the last day of every month", [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, at) => ({ month: at + 1, days })),
    ({ month, days }) => isCalendarDate(2026, month, days) && !isCalendarDate(2026, month, days + 1) && !isCalendarDate(2026, month, 0))
  holds("as the calendar of the language counts, which rolls over what does not exist", {
    year: fc.integer({ min: 1000, max: 3000 }),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 })
  }, ({ year, month, day }) => {
    const rolled = new Date(Date.UTC(year, month - 1, day))
    return isCalendarDate(year, month, day) === (rolled.getUTCMonth() === month - 1 && rolled.getUTCDate() === day && rolled.getUTCFullYear() === year)
  })
})

rule("TIME-3", {
  says: "The V-PFR is told Belgrade local time with the offset valid then; reports count Belgrade days and months.",
  source: "Decisions §1, DateTime"
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("winter, summer, and the hours the clock changes", [
    ["2026-01-15T11:00:00Z", "2026-01-15T12:00:00.000+01:00"],
    ["2026-08-29T10:30:00Z", "2026-08-29T12:30:00.000+02:00"],
    ["2026-03-29T00:59:59Z", "2026-03-29T01:59:59.000+01:00"],
    ["2026-03-29T01:00:00Z", "2026-03-29T03:00:00.000+02:00"],
    ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00.000+02:00"],
    ["2026-10-25T01:30:00Z", "2026-10-25T02:30:00.000+01:00"]
  ], ([utc = "", local]) => belgradeTime(at(utc)) === local)
  holdsForEvery("days and months end at Belgrade midnight", [
    ["2026-08-31T21:59:59Z", "2026-08-31", "2026-08"],
    ["2026-08-31T22:00:00Z", "2026-09-01", "2026-09"],
    ["2025-12-31T22:59:59Z", "2025-12-31", "2025-12"],
    ["2025-12-31T23:00:00Z", "2026-01-01", "2026-01"]
  ], ([utc = "", day, month]) => belgradeDay(at(utc)) === day && belgradeMonth(at(utc)) === month)
  holdsForEvery("a rate group's beginning is local time without offset", [["2021-12-19T23:00:00Z", "2021-12-20T00:00:00"]],
    ([utc = "", local]) => belgradeLocalTime(at(utc)) === local)
  holds("no instant is lost or moved", { millis: epochMillis }, ({ millis }) =>
    DateTime.toEpochMillis(at(belgradeTime(DateTime.makeUnsafe(millis)))) === millis)
})

rule("TIME-4", {
  says: "The time of another ESIR's document keeps the digits of its second when it is turned to Belgrade time.",
  source: "Decisions §1, referentDocumentDT"
}, ({ holdsForEvery }) => {
  holdsForEvery("whatever its offset", [
    ["2026-08-29T10:30:00.1234567Z", "2026-08-29T12:30:00.1234567+02:00"],
    ["2026-08-29T12:30:00.1234567+02:00", "2026-08-29T12:30:00.1234567+02:00"],
    ["2026-01-15T06:00:00.50-05:00", "2026-01-15T12:00:00.50+01:00"],
    ["2025-12-31T23:30:00Z", "2026-01-01T00:30:00+01:00"]
  ], ([text = "", local]) => belgradeTimeOf(text) === local)
})

rule("TIME-5", {
  says: "The instant of a PFR time is read to the millisecond; its text is kept as it came.",
  source: "Decisions §1, sdcTime"
}, ({ holdsForEvery }) => {
  holdsForEvery("seven digits and an offset", [["2024-02-29T17:07:27.4551405+01:00", "2024-02-29T16:07:27.455Z"]], ([text = "", instant]) =>
    Option.getOrNull(Option.map(pfrInstant(text), DateTime.formatIso)) === instant)
  holdsForEvery("what is no time has no instant", ["", "yesterday"], (text) => Option.isNone(pfrInstant(text)))
})

rule("TIME-6", {
  says: "A month of the licence's count is the Belgrade calendar month, from its first midnight to the next month's, the months in which the " +
    "clocks change included.",
  source: "Decisions §5, GET /v1/license; §1, DateTime"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("winter, summer, the change of clocks and of the year", [
    ["2026-08-29T10:00:00Z", "2026-07-31T22:00:00.000Z", "2026-08-31T22:00:00.000Z"],
    ["2026-03-15T10:00:00Z", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
    ["2026-10-15T10:00:00Z", "2026-09-30T22:00:00.000Z", "2026-10-31T23:00:00.000Z"],
    ["2025-12-31T23:30:00Z", "2025-12-31T23:00:00.000Z", "2026-01-31T23:00:00.000Z"]
  ], ([instant = "", from, to]) => {
    const range = belgradeMonthRange(at(instant))
    return DateTime.formatIso(range.from) === from && DateTime.formatIso(range.to) === to
  })
  holds("every instant lies in its own month and in no other", { millis: epochMillis }, ({ millis }) => {
    const { from, to } = belgradeMonthRange(DateTime.makeUnsafe(millis))
    const before = belgradeMonthRange(DateTime.makeUnsafe(from.epochMilliseconds - 1))
    return from.epochMilliseconds <= millis && millis < to.epochMilliseconds && before.to.epochMilliseconds === from.epochMilliseconds
  })
})
