/** A civil time as written on a receipt; no zone is attached to it. */
export interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const belgrade = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Belgrade",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric"
})

const quarterHour = 15 * 60 * 1000
const minuteOf = 60 * 1000
let remembered = { quarter: Number.NaN, offset: 0 }

/** Minutes east of Greenwich at an instant. Offsets change on the quarter hour at most, so the last one is cached. */
export const belgradeOffset = (milliseconds: number): number => {
  const quarter = Math.floor(milliseconds / quarterHour)
  if (remembered.quarter === quarter) return remembered.offset
  const parts = belgrade.formatToParts(quarter * quarterHour)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
  remembered = { quarter, offset: (local - quarter * quarterHour) / minuteOf }
  return remembered.offset
}

const two = (value: number): string => String(value).padStart(2, "0")

const offsetText = (minutes: number): string =>
  `${minutes < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`

/** The local time in Belgrade at an instant. */
export const belgradeCivilTime = (milliseconds: number): CivilTime => {
  const shifted = new Date(milliseconds + belgradeOffset(milliseconds) * minuteOf)
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds()
  }
}

/**
 * `2024-02-29T17:07:27.4551405+01:00` (V-PFR §3). `ticks` are the four digits below the millisecond, 0..9999; trailing
 * zeros fall away as the tax authority's software drops them.
 */
export const sdcDateTimeText = (milliseconds: number, ticks: number): string => {
  const offset = belgradeOffset(milliseconds)
  const local = new Date(milliseconds + offset * minuteOf).toISOString().slice(0, 23)
  const text = `${local}${String(ticks).padStart(4, "0")}`.replace(/\.?0{1,7}$/, "")
  return `${text.includes(".") ? text : local.slice(0, 19)}${offsetText(offset)}`
}

/** `08.12.2020. 8:55:23`: a dot after the year, the hour not padded (V-PFR §8.1). */
export const journalTimeText = (time: CivilTime): string =>
  `${two(time.day)}.${two(time.month)}.${time.year}. ${time.hour}:${two(time.minute)}:${two(time.second)}`

/** A date-time of a request: the digits as written, for printing, and its instant, for choosing tax rates. */
export interface WrittenTime {
  readonly civil: CivilTime
  /** Unix milliseconds. Digits without an offset are read as Belgrade time. */
  readonly instant: number
}

const written =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?$/i

/** ISO 8601 with `T` or a space, with or without an offset (V-PFR §2); null where no such date and time exists. */
export const readWrittenTime = (text: string): WrittenTime | null => {
  const match = written.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = "0", fraction = "", offset] = match
  const civil: CivilTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second)
  }
  const digits = Date.UTC(civil.year, civil.month - 1, civil.day, civil.hour, civil.minute, civil.second)
  const exists = new Date(digits)
  if (exists.getUTCDate() !== civil.day || exists.getUTCHours() !== civil.hour || exists.getUTCMinutes() !== civil.minute) return null
  const shift = offset === undefined ? belgradeOffset(digits - belgradeOffset(digits) * minuteOf) : minutesOf(offset)
  return { civil, instant: digits - shift * minuteOf + Number(fraction.padEnd(3, "0").slice(0, 3)) }
}

const minutesOf = (offset: string): number => {
  if (offset.toUpperCase() === "Z") return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith("-") ? -minutes : minutes
}
