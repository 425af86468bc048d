import { formatDecimal, inThousands } from "@overa/domain"
import { type BigDecimal, DateTime } from "effect"
import type { Language } from "./Language.ts"

/** An amount as Serbian readers write it: `1.234,50`. */
export const amount = (value: BigDecimal.BigDecimal, decimals = 2): string => {
  const [whole = "", fraction] = formatDecimal(value, decimals).split(".")
  return fraction === undefined ? inThousands(whole) : `${inThousands(whole)},${fraction}`
}

/** A quantity without trailing zeros: `1,5`. */
export const quantity = (value: BigDecimal.BigDecimal): string => {
  const text = formatDecimal(value)
  const [whole = "", fraction] = text.split(".")
  return fraction === undefined ? inThousands(whole) : `${inThousands(whole)},${fraction}`
}

const parts = new Intl.DateTimeFormat("sr-Latn-RS", {
  timeZone: "Europe/Belgrade",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23"
})

/** A moment in Belgrade: `22.11.2026. 14:05:09`. */
export const moment = (at: DateTime.DateTime): string => {
  const found = new Map(parts.formatToParts(DateTime.toEpochMillis(at)).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => found.get(name) ?? ""
  return `${part("day")}.${part("month")}.${part("year")}. ${part("hour")}:${part("minute")}:${part("second")}`
}

/** A day in Belgrade: `22.11.2026.` */
export const day = (at: DateTime.DateTime): string => moment(at).split(" ")[0] ?? ""

const compact = (locale: string) => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 })
const shortNumbers = { "sr-Cyrl": compact("sr-Cyrl-RS"), "sr-Latn": compact("sr-Latn-RS"), en: compact("en") } as const

/** A round number in few characters: `1,2 мил.` */
export const shortNumber = (language: Language, value: number): string => shortNumbers[language].format(value)

/** A day or month as reports name them: `22.11.2026.`, `11.2026.` */
export const reportedTime = (text: string): string => `${text.split("-").toReversed().join(".")}.`
