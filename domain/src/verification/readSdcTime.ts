import { DateTime, Option } from "effect"
import type { PfrTime } from "../time/PfrTime.ts"

const dateAndTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

const belgradeOffset = (localTime: string, disambiguation: "earlier" | "later" | "compatible"): string | null =>
  Option.getOrNull(
    Option.map(
      DateTime.makeZoned(localTime, { timeZone: "Europe/Belgrade", adjustForTimeZone: true, disambiguation }),
      (time) => DateTime.formatIsoOffset(time).slice(-6)
    )
  )

/** The hour that comes twice when summer time ends is the first one, unless the signed time is known and lies in the second. */
const assumedOffset = (localTime: string, signedMillis: number | null): string | null => {
  const second = belgradeOffset(localTime, "later")
  return signedMillis !== null && second !== null && Date.parse(`${localTime}${second}`) === signedMillis
    ? second
    : belgradeOffset(localTime, "compatible")
}

const fullOffset = (offset: string): string =>
  offset.length === 3 ? `${offset}:00` : offset.includes(":") ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`

/** A signing time as written and as an instant, milliseconds since 1970 in UTC. */
export interface SdcTime {
  readonly time: PfrTime
  readonly millis: number
  /** Where the offset comes from: the text, or, because it has none, the time of Belgrade. */
  readonly offset: "WRITTEN" | "ASSUMED"
}

/**
 * The signing time with the V-PFR's own digits. Unusual spellings of the offset (`+0100`, `+01`, a space for the T) become the ISO form; a time
 * without offset is Belgrade's, as every V-PFR time is (V-PFR §3). Null when it is no time.
 *
 * @param signedMillis The instant that the signer wrote into the link, where it is known.
 */
export const readSdcTime = (text: string, signedMillis: number | null = null): SdcTime | null => {
  const match = dateAndTime.exec(text.trim())
  if (match === null) return null
  const local = `${match[1]}T${match[2]}`
  const written = match[3]
  const offset = written === undefined
    ? assumedOffset(local, signedMillis)
    : written.toUpperCase() === "Z"
    ? "Z"
    : fullOffset(written)
  if (offset === null) return null
  const time = `${local}${offset}` as PfrTime // matched above; the brand is on the type alone
  const millis = Date.parse(time)
  return Number.isNaN(millis) ? null : { time, millis, offset: written === undefined ? "ASSUMED" : "WRITTEN" }
}
