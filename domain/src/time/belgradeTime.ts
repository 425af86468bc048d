import { DateTime } from "effect"

const belgrade = DateTime.zoneMakeNamedUnsafe("Europe/Belgrade")

/**
 * An instant as it is sent to the V-PFR: Belgrade local time with the offset valid at that instant (Decisions §1).
 *
 * @example belgradeTime(DateTime.makeUnsafe("2026-08-29T10:30:00Z")) // "2026-08-29T12:30:00.000+02:00"
 */
export const belgradeTime = (instant: DateTime.DateTime): string =>
  DateTime.formatIsoOffset(DateTime.setZone(instant, belgrade))

/**
 * The Belgrade calendar day of an instant, the day of reports and of the earlier-payment rule (Decisions §1).
 *
 * @example belgradeDay(DateTime.makeUnsafe("2026-08-29T22:30:00Z")) // "2026-08-30"
 */
export const belgradeDay = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 10)

/** The Belgrade calendar month of an instant, `2026-08`. */
export const belgradeMonth = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 7)

/** Local date-time without offset, as tax-rate groups state their beginning (Spec, Resources, TaxRateConfiguration). */
export const belgradeLocalTime = (instant: DateTime.DateTime): string => belgradeTime(instant).slice(0, 19)

const fractionOfSecond = /\.(\d+)(?=Z|[+-]\d{2}:\d{2}$)/

/**
 * A date-time text as Belgrade local time with offset, its fraction of a second digit for digit as written. References to another ESIR's document use
 * it, because they must name exactly the time that was signed (Decisions §1).
 *
 * @param text A checked date-time, in full form with offset or `Z`.
 * @example belgradeTimeOf("2026-08-29T10:30:00.1234567Z") // "2026-08-29T12:30:00.1234567+02:00"
 */
export const belgradeTimeOf = (text: string): string => {
  const fraction = fractionOfSecond.exec(text)?.[0] ?? ""
  const local = belgradeTime(DateTime.makeUnsafe(text.replace(fractionOfSecond, "")))
  return `${local.slice(0, 19)}${fraction}${local.slice(23)}`
}
