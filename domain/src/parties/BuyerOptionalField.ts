import { isCalendarDate } from "../time/calendarDate.ts"

/** The prefixes of the buyer's optional field: other meanings than the same prefixes of the buyer's id (Spec, Buyer identification). */
export const optionalFieldPrefixes: ReadonlyArray<string> = ["20", "21", "30", "31", "32", "33", "50", "60"]

/** Corporate card: every payment must then be a VOUCHER (Decisions §1). */
export const corporateCardPrefix = "50"

const period = /^(\d{2})(\d{2})(\d{4})_(\d{2})(\d{2})(\d{4})$/

/** One regular expression for every optional field, for the published contract. It does not check that the days of a period exist and are in order. */
export const optionalFieldPattern =
  `^((${optionalFieldPrefixes.filter((prefix) => prefix !== "60").join("|")}):[^\\u0000-\\u001f\\u007f-\\u009f]+|60:[0-9]{8}_[0-9]{8})$`

const periodFault = (value: string): string | undefined => {
  const parts = period.exec(value)?.slice(1).map(Number)
  if (parts === undefined) return "must be a period in the form ddMMyyyy_ddMMyyyy after 60:"
  const [fromDay = 0, fromMonth = 0, fromYear = 0, toDay = 0, toMonth = 0, toYear = 0] = parts
  if (!isCalendarDate(fromYear, fromMonth, fromDay) || !isCalendarDate(toYear, toMonth, toDay)) {
    return "must be a period of dates that exist"
  }
  const from = fromYear * 10_000 + fromMonth * 100 + fromDay
  const to = toYear * 10_000 + toMonth * 100 + toDay
  return from <= to ? undefined : "must be a period that does not end before it begins"
}

/**
 * What is wrong with the form of a buyer's optional field, or undefined.
 *
 * @example optionalFieldFault("60:01082026_31072026") // "must be a period that does not end before it begins"
 */
export const optionalFieldFault = (field: string): string | undefined => {
  const prefix = field.slice(0, 2)
  if (!optionalFieldPrefixes.includes(prefix) || field.charAt(2) !== ":" || field.length < 4) {
    return `must be prefix:value with one of the prefixes ${optionalFieldPrefixes.join(", ")}`
  }
  return prefix === "60" ? periodFault(field.slice(3)) : undefined
}

/** Whether a buyer's optional field names a corporate card. */
export const isCorporateCard = (field: string): boolean => field.startsWith(`${corporateCardPrefix}:`)
