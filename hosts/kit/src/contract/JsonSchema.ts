/** A JSON Schema 2020-12 in the form of OpenAPI 3.1. Named schemas are referred to by `{ $ref }` through `ref`. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A reference to a schema in `components`. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

export const nullable = (schema: JsonSchema): JsonSchema =>
  "$ref" in schema
    ? { oneOf: [schema, { type: "null" }] }
    : { ...schema, type: [schema["type"], "null"], ...("enum" in schema ? { enum: [...schema["enum"] as Array<unknown>, null] } : {}) }

/** An object whose members are exactly these; `optional` names the ones that may be left out. */
export const object = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: ReadonlyArray<string> = []
): JsonSchema => ({
  type: "object",
  description,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false
})

/**
 * One of several named objects, distinguished by one member: `variants` names the object for each of its values. Written so that readers of JSON
 * Schema and generators that use `discriminator` get the same result.
 */
export const oneOfObjects = (description: string, propertyName: string, variants: Readonly<Record<string, string>>): JsonSchema => ({
  // Without the type, readers that use only the discriminator accept null.
  type: "object",
  description,
  oneOf: [...new Set(Object.values(variants))].map(ref),
  discriminator: {
    propertyName,
    mapping: Object.fromEntries(Object.entries(variants).map(([value, name]) => [value, `#/components/schemas/${name}`]))
  }
})

/** A flag that always has this value. */
export const always = (description: string, value: boolean): JsonSchema => ({ type: "boolean", enum: [value], description })

export const text = (description: string, bounds: JsonSchema = {}): JsonSchema => ({ type: "string", description, ...bounds })
export const uuid = (description: string): JsonSchema => ({ type: "string", format: "uuid", description })
export const integer = (description: string, bounds: JsonSchema = {}): JsonSchema => ({ type: "integer", description, ...bounds })
export const decimal = (description: string, bounds: JsonSchema = {}): JsonSchema => ({ type: "number", description, ...bounds })
export const flag = (description: string): JsonSchema => ({ type: "boolean", description })
export const list = (description: string, items: JsonSchema, bounds: JsonSchema = {}): JsonSchema => ({
  type: "array",
  description,
  items,
  ...bounds
})
export const oneOfTexts = (description: string, values: ReadonlyArray<string>): JsonSchema => ({
  type: "string",
  description,
  enum: [...values]
})
/** UTC with milliseconds and `Z` (Decisions §1). */
export const utcTime = (description: string): JsonSchema => ({
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
  description
})
