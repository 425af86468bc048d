import { formatDecimal } from "@overa/domain"
import { BigDecimal, DateTime, Schema } from "effect"

// Decimals and instants are tagged (`{"$decimal":"1.50"}`, `{"$instant":1772604368455}`), so that metadata of a caller, where "1.5" and
// 1.5 are different values, comes back as it came. A caller's own member name that begins with the tag's sign is written with one more.

/** Names that JSON writes as they are and that carry no tag: nearly all, and quicker told than escaped. */
const plainName = /^[A-Za-z0-9_]+$/

const memberName = (name: string): string =>
  plainName.test(name) ? `"${name}"` : JSON.stringify(name.startsWith("$") ? `$${name}` : name)

/**
 * A domain value as one line of JSON text: decimals keep their scale, instants their milliseconds. Written as it goes: a tree for
 * JSON.stringify to walk again would double the time of a sale's largest parameters.
 */
export const toStoredJson = (value: unknown): string => {
  if (typeof value === "string" || typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(toStoredJson).join(",")}]`
  if (BigDecimal.isBigDecimal(value)) return `{"$decimal":"${formatDecimal(value, Math.max(value.scale, 0))}"}`
  if (DateTime.isDateTime(value)) return `{"$instant":${DateTime.toEpochMillis(value)}}`
  let members = ""
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members += `${members === "" ? "" : ","}${memberName(name)}:${toStoredJson(member)}`
  }
  return `{${members}}`
}

const decodeValue = (_name: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  if (!names.some((name) => name.startsWith("$"))) return value
  if ("$decimal" in value && typeof value.$decimal === "string") return BigDecimal.fromStringUnsafe(value.$decimal)
  if ("$instant" in value && typeof value.$instant === "number") return DateTime.toUtc(DateTime.makeUnsafe(value.$instant))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.startsWith("$$") ? name.slice(1) : name, member]))
}

/** What `toStoredJson` wrote, not yet held to a schema. */
export const parseStoredJson = (text: string): unknown => JSON.parse(text, decodeValue)

/**
 * The decoder of what `toStoredJson` wrote. What does not fit the schema is a defect: only this service writes the column, so a
 * misfit means a release that cannot read its own past.
 */
export const fromStoredJson = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): (text: string) => S["Type"] => {
  const validate = Schema.decodeUnknownSync(Schema.toType(schema))
  return (text) => validate(parseStoredJson(text)) as S["Type"]
}

/** Text PostgreSQL can hold: it has no NUL, which a mangled answer kept as evidence may contain. */
export const storableText = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\u2400") : text)
