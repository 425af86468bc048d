import { isCalendarDate } from "../time/belgradeTime.ts"

/** The prefixes of a buyer's identification and the form of what follows. Source: Spec, Buyer identification; Decisions §1. */
const nineDigits = { form: /^[0-9]{9}$/, says: "nine digits" }
const thirteenDigits = { form: /^[0-9]{13}$/, says: "thirteen digits" }
// The verification link carries the identification as bytes. A receipt is matched with its request only if these are visible ASCII.
const visibleAscii = {
  form: /^[!-~]{1,17}$/,
  says: "1 to 17 characters of visible ASCII, without spaces and diacritics (Z for Ž),"
}

const formOfPrefix: ReadonlyMap<string, { readonly form: RegExp; readonly says: string }> = new Map([
  ["10", nineDigits],
  ["11", thirteenDigits],
  ["12", { form: /^[0-9]{9}:[0-9]{1,10}$/, says: "nine digits, a colon and 1 to 10 digits" }],
  ["13", visibleAscii],
  ["14", nineDigits],
  ["15", thirteenDigits],
  ["16", visibleAscii],
  ["20", visibleAscii],
  ["21", visibleAscii],
  ["22", visibleAscii],
  ["23", visibleAscii],
  ["30", visibleAscii],
  ["31", visibleAscii],
  ["32", visibleAscii],
  ["33", visibleAscii],
  ["34", visibleAscii],
  ["35", visibleAscii],
  ["36", visibleAscii],
  ["40", visibleAscii]
])

/** One regular expression for all prefixes of the same form, without its anchors. */
const alternative = (form: RegExp): string => {
  const prefixes = [...formOfPrefix].filter(([, rule]) => rule.form === form).map(([prefix]) => prefix)
  return `(${prefixes.join("|")}):${form.source.slice(1, -1)}`
}

/** One regular expression for every identification, for the published contract: each prefix with its own form. */
export const buyerIdPattern = `^(${[...new Set([...formOfPrefix.values()].map(({ form }) => form))].map(alternative).join("|")})$`

/** Every prefix a buyer's identification may carry. */
export const buyerIdPrefixes: ReadonlyArray<string> = [...formOfPrefix.keys()]

/**
 * What is wrong with the form of a buyer's identification, or undefined. A wrong check digit is not a wrong form.
 *
 * @example buyerIdFault("10:12345") // "must be nine digits after 10:"
 */
export const buyerIdFault = (id: string): string | undefined => {
  const prefix = id.slice(0, 2)
  const rule = formOfPrefix.get(prefix)
  if (rule === undefined || id.charAt(2) !== ":") {
    return `must be prefix:value with one of the prefixes ${buyerIdPrefixes.join(", ")}`
  }
  return rule.form.test(id.slice(3)) ? undefined : `must be ${rule.says} after ${prefix}:`
}

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
