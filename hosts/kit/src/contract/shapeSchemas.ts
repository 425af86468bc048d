import { type Schema, SchemaRepresentation } from "effect"
import { type JsonSchema, nullable } from "./JsonSchema.ts"

/** A schema of the domain for values that callers send. */
export type Shape = Schema.Constraint

const inDefinitions = "#/$defs/"
const inComponents = "#/components/schemas/"

/**
 * The JSON Schemas of shapes and of the named objects in them, by name, for `components`. Made from the type that the decoders read and not from its
 * JSON codec, which has texts for decimals.
 */
export const shapeSchemas = (shapes: ReadonlyArray<Shape>): Readonly<Record<string, JsonSchema>> => {
  const [first, ...others] = shapes.map(({ ast }) => ast)
  if (first === undefined) return {}
  const { definitions } = SchemaRepresentation.toJsonSchemaMultiDocument(
    SchemaRepresentation.toRepresentations([first, ...others]),
    { onExcessProperty: "error" }
  )
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => {
    if (!/^[A-Za-z]+$/.test(name)) throw new Error(`Two shapes have the same name: ${name}`)
    return [name, inContractForm(schema)]
  }))
}

/** The name a shape has in the contract: its identifier. */
export const shapeName = ({ ast }: Shape): string => {
  const { representation } = SchemaRepresentation.toRepresentation(ast)
  if (representation._tag !== "Reference") throw new Error("A shape of the contract has no identifier.")
  return representation.$ref
}

/** The schema of one member of an object, for answers that have the member too. */
export const memberSchema = (shape: Shape, name: string): JsonSchema => {
  const properties = shapeSchemas([shape])[shapeName(shape)]?.["properties"] as Readonly<Record<string, JsonSchema>> | undefined
  const schema = properties?.[name]
  if (schema === undefined) throw new Error(`${shapeName(shape)} has no member ${name}.`)
  return schema
}

/** The form of the rest of the document: null beside the type, one keyword for alternatives, required members first. */
const inContractForm = (schema: JsonSchema): JsonSchema => {
  const { allOf, anyOf, items, properties, ...rest } = schema
  if (typeof rest["$ref"] === "string") return { ...rest, $ref: rest["$ref"].replace(inDefinitions, inComponents) }
  const node = Object.assign({}, rest, ...listOf(allOf).map(inContractForm)) as JsonSchema
  if (anyOf !== undefined) return alternatives(listOf(anyOf).map(inContractForm), node)
  if (items !== undefined) return { ...node, items: inContractForm(items as JsonSchema) }
  return properties === undefined ? node : objectForm(node, properties as Readonly<Record<string, JsonSchema>>)
}

const listOf = (schemas: unknown): ReadonlyArray<JsonSchema> => (schemas ?? []) as ReadonlyArray<JsonSchema>

const alternatives = (options: ReadonlyArray<JsonSchema>, node: JsonSchema): JsonSchema => {
  const [only, ...others] = options.filter(({ type }) => type !== "null")
  return only !== undefined && others.length === 0 ? { ...nullable(only), ...node } : { oneOf: options, ...node }
}

const objectForm = (node: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const { additionalProperties, description, required = [], type } = node
  const isRequired = (name: string) => (required as ReadonlyArray<string>).includes(name)
  const names = Object.keys(properties)
  const inOrder = [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))]
  return {
    type,
    description,
    properties: Object.fromEntries(inOrder.map((name) => [name, inContractForm(properties[name] ?? {})])),
    required: inOrder.filter(isRequired),
    additionalProperties
  }
}
