import schema from "./canonical-json.schema.json" with { type: "json" }

/** JSON Schema of the representation canonical-json. */
export const canonicalJsonSchema = schema
