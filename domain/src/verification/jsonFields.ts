import { BigDecimal } from "effect"

export type JsonObject = { readonly [name: string]: unknown }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !BigDecimal.isBigDecimal(value)

/** A member by its camelCase name; servers of this family sometimes write PascalCase (V-PFR §1.7, §2). */
export const field = (object: JsonObject, name: string): unknown =>
  object[name] ?? object[name.charAt(0).toUpperCase() + name.slice(1)]

const plainDecimal = /^-?\d{1,30}(?:\.\d{1,30})?$/
/** A number as JavaScript prints it; not Infinity, and no exponent whose digits would fill the memory. */
const plausibleExponent = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/

export const textField = (object: JsonObject, name: string): string | null => {
  const value = field(object, name)
  return typeof value === "string" && value !== "" ? value : null
}

/** A number of `parseExactJson`, or its text, as an exact decimal. */
export const decimalField = (object: JsonObject, name: string): BigDecimal.BigDecimal | null => {
  const value = field(object, name)
  if (BigDecimal.isBigDecimal(value)) return value
  if (typeof value === "number") return plausibleExponent.test(String(value)) ? BigDecimal.fromStringUnsafe(String(value)) : null
  return typeof value === "string" && plainDecimal.test(value) ? BigDecimal.fromStringUnsafe(value) : null
}

export const integerField = (object: JsonObject, name: string): number | null => {
  const value = field(object, name)
  const decimal = typeof value === "number" ? null : decimalField(object, name)
  const number = decimal === null ? value : BigDecimal.toNumberUnsafe(decimal)
  return Number.isSafeInteger(number) ? Number(number) : null
}
