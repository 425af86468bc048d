import { DateTime, Option, Schema } from "effect"
import { isCalendarDate } from "../time/belgradeTime.ts"
import { withoutTrailingZeros } from "./bodyTree.ts"

// The full form of ISO 8601 with seconds and an offset; a looser form would not name one instant (Decisions §1).
const fullForm =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,9}))?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/** What is wrong with a date-time of a request, or undefined. 30 February is not rolled over into March: it is refused. */
export const requestTimeFault = (text: string): string | undefined => {
  const parts = fullForm.exec(text)
  if (parts === null) return "must be a date-time with seconds and an offset or Z, e.g. 2026-08-29T12:30:00+02:00"
  return isCalendarDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? undefined : "must be a date that exists"
}

/** The instant of a date-time of a request, cut to milliseconds; none when the text is not one. */
export const requestInstant = (text: string): Option.Option<DateTime.Utc> =>
  requestTimeFault(text) === undefined ? Option.map(DateTime.make(text), DateTime.toUtc) : Option.none()

/**
 * The canonical spelling of an instant, whatever its offset and trailing zeros: UTC, `Z`, the digits of the second as written.
 *
 * @example canonicalInstant("2026-08-29T12:30:00.50+02:00") // Option.some("2026-08-29T10:30:00.5Z")
 */
export const canonicalInstant = (text: string): Option.Option<string> =>
  Option.map(requestInstant(text), (instant) => {
    const fraction = withoutTrailingZeros(fullForm.exec(text)?.[5] ?? "")
    return `${DateTime.formatIso(instant).slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`
  })

/** A date-time as a caller writes it, checked. Pure, as it is marked: a bundle that only reads instants is spared Schema. */
export const requestTimeField = /* @__PURE__ */ Schema.String.check(
  /* @__PURE__ */ Schema.makeFilter((text: string) => requestTimeFault(text), {
    toJsonSchema: () => ({ format: "date-time", pattern: fullForm.source })
  })
)
