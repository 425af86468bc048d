import { formatDecimal } from "@overa/domain"
import { BigDecimal, DateTime, Schema } from "effect"
import { deflateRawSync, inflateRawSync } from "node:zlib"

// Decimals and instants are tagged (`{"$decimal":"1.50"}`, `{"$instant":1772604368455}`), so that a caller's metadata, where "1.5" and 1.5 are
// different values, is restored exactly. A caller's own member name that begins with the tag's sign gets one more sign.

const tagName = ([name, member]: readonly [string, unknown]): readonly [string, unknown] => [name.startsWith("$") ? `$${name}` : name, member]

/** A domain value in a form that JSON.stringify can write. The copy of each object keeps its members' order and names, `__proto__` among them. */
const tagged = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(tagged)
  if (BigDecimal.isBigDecimal(value)) return { $decimal: formatDecimal(value, Math.max(value.scale, 0)) }
  if (DateTime.isDateTime(value)) return { $instant: DateTime.toEpochMillis(value) }
  const members: Record<string, unknown> = { ...value }
  const names = Object.keys(members)
  for (const name of names) members[name] = tagged(members[name])
  return names.some((name) => name.startsWith("$")) ? Object.fromEntries(Object.entries(members).map(tagName)) : members
}

/** A domain value as one line of JSON text: decimals keep their scale, instants their milliseconds. */
export const toStoredJson = (value: unknown): string => JSON.stringify(tagged(value)) ?? "null"

/** An object with a tag, or with members of a caller whose names begin with the tag's sign. */
const untaggedObject = (members: Readonly<Record<string, unknown>>): unknown => {
  if ("$decimal" in members && typeof members["$decimal"] === "string") return BigDecimal.fromStringUnsafe(members["$decimal"])
  if ("$instant" in members && typeof members["$instant"] === "number") return DateTime.toUtc(DateTime.makeUnsafe(members["$instant"]))
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name.startsWith("$$") ? name.slice(1) : name, member]))
}

// In place, because the value was just parsed. A reviver of JSON.parse would do the same and takes three times as long.
const untagged = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const members = value as Record<string, unknown>
  let isTagged = false
  for (const name of Object.keys(members)) {
    const member = untagged(members[name])
    if (member !== members[name]) members[name] = member
    isTagged ||= name.startsWith("$")
  }
  return isTagged ? untaggedObject(members) : value
}

/** A decimal as `toStoredJson` writes it, for readers that parse a text without `parseStoredJson`. */
export interface StoredDecimal {
  readonly $decimal: string
}

export const readStoredDecimal = ({ $decimal }: StoredDecimal): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe($decimal)

/** What `toStoredJson` wrote, not yet validated. */
export const parseStoredJson = (text: string): unknown => untagged(JSON.parse(text))

/**
 * The decoder of what `toStoredJson` wrote. A mismatch with the schema is a defect: only this service writes the column, so it means that a release
 * cannot read its own data.
 */
export const fromStoredJson = <S extends Schema.ConstraintDecoder<unknown>>(schema: S): (text: string) => S["Type"] => {
  const validate = Schema.decodeUnknownSync(Schema.toType(schema))
  return (text) => validate(parseStoredJson(text)) as S["Type"]
}

/** Text that PostgreSQL can store: without NUL, which a damaged answer kept as evidence may contain. */
export const storableText = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\u2400") : text)

// A request's body and the content decoded from it are nearly the same data. The body is stored deflated with the content as its dictionary: what
// remains is what the content lacks (spelling of numbers, order, white space), a few hundred bytes, and the body is restored byte for byte.

/** Deflate's dictionary is no longer than this; a longer body is stored unpacked. */
const longestPacked = 32_768

// What remains usually fits into one piece; the default size of 16 kB, allocated for every body, took half of the packing's time.
const effort = { level: 1, windowBits: 15, memLevel: 6, chunkSize: 1_024 } as const

/** The body packed against the stored content; null where packing saves nothing. */
export const packBody = (body: string, content: string): Uint8Array | null => {
  if (body.length === 0 || body.length > longestPacked) return null
  const packed = deflateRawSync(body, { ...effort, dictionary: Buffer.from(content) })
  return packed.length < body.length ? packed : null
}

// A body usually fits into one piece; the default size of 16 kB would be allocated for every body.
const unpacking = { chunkSize: 4_096 } as const

/** The bytes that were packed. */
export const unpackBodyBytes = (packed: Uint8Array, content: string): Uint8Array => inflateRawSync(packed, { ...unpacking, dictionary: Buffer.from(content) })

/** The body that was packed. */
export const unpackBody = (packed: Uint8Array, content: string): string => Buffer.from(unpackBodyBytes(packed, content)).toString("utf8")
