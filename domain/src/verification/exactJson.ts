import { BigDecimal } from "effect"

/** Numbers outside this form occur in no fiscal answer; computing with them would only cost memory. */
const plausibleNumber = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?$/

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown

const exactNumber: Reviver = (_key, value, context) => {
  if (typeof value !== "number") return value
  const source = context.source ?? String(value)
  return plausibleNumber.test(source) ? BigDecimal.fromStringUnsafe(source) : null
}

/**
 * A string, to be skipped, or the digits of a number. The end of a string is optional in the pattern: otherwise an unterminated one would be tried
 * again from each quote.
 */
const stringOrDigits = /"[^"\\]*(?:\\.[^"\\]*)*"?|\d[\d.]*/g
/** Any decimal with this many significant digits survives a conversion to a double and back unchanged (IEEE 754). */
const digitsOfDouble = 15

/** The beginning of a long number; a string may contain it too. Written out, because regular-expression engines then skip what cannot match. */
const perhapsLong = /[\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.]{9}/

const hasLongNumber = (text: string): boolean => {
  if (!perhapsLong.test(text)) return false
  stringOrDigits.lastIndex = 0
  for (let match = stringOrDigits.exec(text); match !== null; match = stringOrDigits.exec(text)) {
    if (match[0].length > digitsOfDouble && !match[0].startsWith('"')) return true
  }
  return false
}

/** Shorter texts are parsed in a few milliseconds whatever they contain. */
const surelyCheap = 65_536
const deepestNesting = 32
/** Commas outside texts: a refusal that names each of a thousand items has some four thousand. */
const mostNodes = 10_000

/**
 * Whether a long text can be an answer, checked before it is parsed: a megabyte of brackets takes forty milliseconds to refuse, and half a million
 * members take as long to build.
 */
const isPlausible = (text: string): boolean => {
  let depth = 0
  let nodes = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x2c) nodes += 1
    if (depth > deepestNesting || nodes > mostNodes) return false
  }
  return true
}

/**
 * Parses JSON with exact numbers. Numbers of at most fifteen digits, which is every normal one, stay numbers and print as they were written; in a
 * text with a longer one, all numbers are read from their source into decimals (`decimalField` reads both). Money is never computed in floating
 * point. Undefined when the text is no JSON.
 */
export const parseExactJson = (text: string): unknown => {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text
  try {
    if (body.length > surelyCheap && !isPlausible(body)) return undefined
    return hasLongNumber(body) ? parseWith(body, exactNumber) : JSON.parse(body)
  } catch {
    return undefined // JSON.parse has no other way to say "not JSON"
  }
}

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
