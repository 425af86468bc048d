import * as fc from "fast-check"

interface Schema {
  readonly [keyword: string]: unknown
}

/** The named schemas of the document that references lead to. */
export type Components = Readonly<Record<string, Schema>>

/** Values that no schema requires and every reader must survive. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "\u0000",
    "\u202e",
    "\ufeff",
    "x".repeat(3_000),
    -1,
    0,
    1e308,
    1.5e-7,
    9_007_199_254_740_992,
    999_999_999_999.995,
    true,
    [],
    {},
    [[]],
    { toString: 1 },
    ["__proto__"]
  ),
  fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed()),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)

/** Values of a schema, most of them valid. */
export const ofSchema = (schema: Schema, components: Components): fc.Arbitrary<unknown> => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return ofSchema(components[reference.split("/").at(-1) ?? ""] ?? {}, components)
  const options = schema["oneOf"] ?? schema["anyOf"]
  if (Array.isArray(options)) return fc.oneof(...options.map((option: Schema) => ofSchema(option, components)))
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"] as Array<unknown>)
  const type = schema["type"]
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => ofSchema({ ...schema, type: one }, components)))
  switch (type) {
    case "string":
      return textOf(schema)
    case "number":
    case "integer":
      return numberOf(schema)
    case "boolean":
      return fc.boolean()
    case "array":
      return fc.array(ofSchema(schema["items"] as Schema, components), {
        minLength: Number(schema["minItems"] ?? 0),
        maxLength: Math.min(Number(schema["maxItems"] ?? 4), 4)
      })
    case "object":
      return objectOf(schema, components)
    default:
      return fc.constant(null)
  }
}

const textOf = ({ format, maxLength, minLength, pattern }: Schema): fc.Arbitrary<string> => {
  if (format === "uuid") return fc.uuid()
  if (format === "date-time") return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: "grapheme", minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength ?? 20), 40) })
}

const numberOf = ({ maximum, minimum }: Schema): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: Math.ceil(Number(minimum ?? 0) * 100), max: 100_000_00 }).map((cents) => cents / 100),
    fc.constantFrom(Number(minimum ?? 0), Number(maximum ?? 1))
  )

const objectOf = (schema: Schema, components: Components): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema["properties"] as Readonly<Record<string, Schema>> | undefined ?? {})
  const required = new Set(schema["required"] as ReadonlyArray<string> | undefined ?? [])
  if (properties.length === 0) return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), fc.oneof(fc.string(), fc.boolean()), { maxKeys: 3 })
  return fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, ofSchema(property, components)])),
    { requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)) }
  )
}

/** A value with something in it replaced, removed or added. */
export const damaged = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(value, fc.infiniteStream(fc.nat(1_000)), hostile).map(([original, choices, intruder]) => damage(original, choices, intruder))

const damage = (value: unknown, choices: Iterator<number>, intruder: unknown): unknown => {
  const choice = choices.next().value as number
  if (typeof value !== "object" || value === null || choice % 5 === 0) return intruder
  if (Array.isArray(value)) {
    if (value.length === 0 || choice % 7 === 0) return [...value, intruder]
    const at = choice % value.length
    return value.map((item, index) => (index === at ? damage(item, choices, intruder) : item) as unknown)
  }
  const names = Object.keys(value)
  if (names.length === 0 || choice % 7 === 0) return { ...value, surplus: intruder }
  const at = names[choice % names.length] ?? ""
  const members = value as Readonly<Record<string, unknown>>
  if (choice % 11 === 0) return Object.fromEntries(Object.entries(members).filter(([name]) => name !== at))
  return { ...members, [at]: damage(members[at], choices, intruder) }
}
