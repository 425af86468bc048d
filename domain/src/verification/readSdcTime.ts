import { DateTime, Option } from "effect"
import type { PfrTime } from "../time/PfrTime.ts"

const dateAndTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

const belgradeOffset = (localTime: string): string | null =>
  Option.getOrNull(
    Option.map(
      DateTime.makeZoned(localTime, { timeZone: "Europe/Belgrade", adjustForTimeZone: true }),
      (time) => DateTime.formatIsoOffset(time).slice(-6)
    )
  )

const fullOffset = (offset: string): string =>
  offset.length === 3 ? `${offset}:00` : offset.includes(":") ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`

/** A signing time as written and as an instant, milliseconds since 1970 in UTC. */
export interface SdcTime {
  readonly time: PfrTime
  readonly millis: number
}

/**
 * The signing time with the V-PFR's own digits. Unusual spellings of the offset (`+0100`, `+01`, a space for the T) become the ISO form; a time
 * without offset is Belgrade's, as every V-PFR time is (V-PFR §3). Null when it is no time.
 */
export const readSdcTime = (text: string): SdcTime | null => {
  const match = dateAndTime.exec(text.trim())
  if (match === null) return null
  const local = `${match[1]}T${match[2]}`
  const written = match[3]
  const offset = written === undefined
    ? belgradeOffset(local)
    : written.toUpperCase() === "Z"
    ? "Z"
    : fullOffset(written)
  if (offset === null) return null
  const time = `${local}${offset}` as PfrTime // matched above; the brand is on the type alone
  const millis = Date.parse(time)
  return Number.isNaN(millis) ? null : { time, millis }
}
