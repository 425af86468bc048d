import { characterCount } from "../characters.ts"
import { readWrittenTime, type WrittenTime } from "../belgradeTime.ts"
import { parseDecimal, unitsAt } from "../exactDecimal.ts"
import { JsonNumber, type JsonObject } from "./JsonDocument.ts"
import { type ModelState, rejectionCode } from "./ModelState.ts"

/** The place of a value, and where its faults are reported. */
export interface Field {
  readonly object: JsonObject
  readonly name: string
  readonly path: string
  readonly faults: ModelState
}

export interface DecimalBounds {
  readonly decimals: number
  /** In units of the last decimal. */
  readonly minimum: bigint
  readonly maximum: bigint
}

/** Text of 1..maximum characters or absent. An empty string is not absent (V-PFR §2): 2802. */
export const readOptionalText = (field: Field, maximum: number): string | null => {
  const value = field.object.member(field.name)
  if (value === null) return null
  if (typeof value !== "string") {
    field.faults.add(field.path, rejectionCode.invalidFormat)
    return null
  }
  if (value === "") field.faults.add(field.path, rejectionCode.tooShort)
  if (characterCount(value) > maximum) field.faults.add(field.path, rejectionCode.tooLong)
  return value
}

export const readRequiredText = (field: Field, maximum: number): string => {
  if (field.object.member(field.name) === null) field.faults.add(field.path, rejectionCode.required)
  return readOptionalText(field, maximum) ?? ""
}

/** Eight to fourteen characters, else 2803, the code of the authority's own example (V-PFR §4). */
export const readGtin = (field: Field): string | null => {
  const value = field.object.member(field.name)
  if (value === null) return null
  if (typeof value !== "string") field.faults.add(field.path, rejectionCode.invalidFormat)
  else if (characterCount(value) < 8 || characterCount(value) > 14) field.faults.add(field.path, rejectionCode.invalidLength)
  return typeof value === "string" ? value : null
}

/** A number within bounds as a count of its last decimal; a longer fraction is out of range too (Decisions §9). */
export const readDecimal = (field: Field, bounds: DecimalBounds): bigint => {
  const value = field.object.member(field.name)
  if (value === null) {
    field.faults.add(field.path, rejectionCode.required)
    return 0n
  }
  if (!(value instanceof JsonNumber)) {
    field.faults.add(field.path, rejectionCode.invalidFormat)
    return 0n
  }
  const decimal = parseDecimal(value.source)
  if (decimal === null || decimal.scale > bounds.decimals) {
    field.faults.add(field.path, rejectionCode.outOfRange)
    return 0n
  }
  const units = unitsAt(decimal, bounds.decimals)
  if (units < bounds.minimum || units > bounds.maximum) field.faults.add(field.path, rejectionCode.outOfRange)
  return units
}

/** An enumerated value by number or by name, without regard to case; null once a fault is recorded. */
export const readEnumerated = <Name extends string>(field: Field, names: ReadonlyArray<Name>): Name | null => {
  const value = field.object.member(field.name)
  if (value === null) {
    field.faults.add(field.path, rejectionCode.required)
    return null
  }
  const text = value instanceof JsonNumber ? value.source : typeof value === "string" ? value : ""
  const found = /^\d+$/.test(text) ? names[Number(text)] : names.find((name) => name.toLowerCase() === text.toLowerCase())
  if (found === undefined) field.faults.add(field.path, rejectionCode.invalidValue)
  return found ?? null
}

export const readOptionalTime = (field: Field): WrittenTime | null => {
  const value = field.object.member(field.name)
  if (value === null) return null
  const time = typeof value === "string" ? readWrittenTime(value) : null
  if (time === null) field.faults.add(field.path, rejectionCode.invalidFormat)
  return time
}

/** The entries of a required list; too few or too many are faults of the list itself. */
export const readList = (field: Field, maximum: number): ReadonlyArray<unknown> => {
  const value = field.object.member(field.name)
  if (value === null) {
    field.faults.add(field.path, rejectionCode.required)
    return []
  }
  if (!Array.isArray(value)) {
    field.faults.add(field.path, rejectionCode.invalidFormat)
    return []
  }
  if (value.length === 0) field.faults.add(field.path, rejectionCode.listTooShort)
  if (value.length > maximum) {
    field.faults.add(field.path, rejectionCode.listTooLong)
    return []
  }
  return value
}

/** An option is sent as `"1"` or `"0"`; true and 1 are accepted too (V-PFR §2). */
export const readOption = (options: JsonObject | null, name: string): boolean => {
  const value = options?.member(name) ?? null
  const text = value instanceof JsonNumber ? value.source : String(value)
  return text === "1" || text.toLowerCase() === "true"
}
