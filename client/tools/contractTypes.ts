interface Schema {
  readonly [keyword: string]: unknown
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>
}

/** The TypeScript types of the contract: every named schema, and the input and answer of each operation. */
export const contractTypes = (document: unknown): string => {
  const { components, paths } = document as OpenApi
  const schemas = Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationType(path, method, operation as OperationObject)))
  return [
    "// Generated from the declared operations by client/tools/generateContract.ts; do not edit.",
    "",
    ...schemas,
    "/** Every code an error body may carry. */",
    'export type ErrorCode = ErrorBody["code"]',
    "",
    "/** Every operation: where it is, what it takes, what it answers when it succeeds. */",
    "export interface Operations {",
    ...operations,
    "}",
    "",
    "/** Where each operation is. */",
    "export const routes = {",
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const { operationId, parameters } = operation as OperationObject
        const keyed = parameters.some(({ name }) => name === "Idempotency-Key")
        return `  ${operationId}: { method: "${method.toUpperCase()}", path: "${path}", keyed: ${keyed} }`
      })).join(",\n"),
    "} as const satisfies Record<keyof Operations, { readonly method: string; readonly path: string; readonly keyed: boolean }>",
    ""
  ].join("\n")
}

const declaration = (name: string, schema: Schema): string => {
  const comment = typeof schema["description"] === "string" && schema["description"] !== "" ? `/** ${schema["description"]} */\n` : ""
  const isObject = schema["type"] === "object" && schema["properties"] !== undefined
  return `${comment}export ${isObject ? `interface ${name} ${typeOf(schema, "")}` : `type ${name} = ${typeOf(schema, "")}`}\n`
}

const typeOf = (schema: Schema, indent: string): string => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "unknown"
  const options = schema["oneOf"] ?? schema["anyOf"]
  if (Array.isArray(options)) return options.map((option: Schema) => typeOf(option, indent)).join(" | ")
  if ("const" in schema) return JSON.stringify(schema["const"])
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  const type = schema["type"]
  if (Array.isArray(type)) return type.map((one: string) => typeOf({ ...schema, type: one }, indent)).join(" | ")
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type
    case "number":
    case "integer":
      return "number"
    case "array":
      return `ReadonlyArray<${typeOf(schema["items"] as Schema, indent)}>`
    case "object":
      return objectType(schema, indent)
    default:
      return "unknown"
  }
}

const objectType = (schema: Schema, indent: string): string => {
  const properties = schema["properties"] as Readonly<Record<string, Schema>> | undefined
  const others = schema["additionalProperties"]
  const rest = typeof others === "object" && others !== null ? typeOf(others as Schema, indent) : "unknown"
  if (properties === undefined) return `Readonly<Record<string, ${rest}>>`
  const required = new Set(schema["required"] as ReadonlyArray<string>)
  const inner = `${indent}  `
  const members = Object.entries(properties).flatMap(([name, property]) => {
    const description = property["description"]
    const comment = typeof description === "string" && description !== "" ? [`${inner}/** ${description} */`] : []
    return [...comment, `${inner}readonly ${name}${required.has(name) ? "" : "?"}: ${typeOf(property, inner)}`]
  })
  return ["{", ...members, ...(others === true ? [`${inner}readonly [fact: string]: unknown`] : []), `${indent}}`].join("\n")
}

const operationType = (_path: string, _method: string, operation: OperationObject): string => {
  const parameters = (place: string) => {
    const members = operation.parameters.filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => `readonly ${name}${required ? "" : "?"}: ${typeOf(schema, "    ")}`)
    return members.length === 0 ? "Readonly<Record<string, never>>" : `{ ${members.join("; ")} }`
  }
  // A file is sent as its text.
  const body = (operation.requestBody?.content["application/json"] ?? operation.requestBody?.content["text/csv"])?.schema
  return [
    `  /** ${operation.summary}. */`,
    `  readonly ${operation.operationId}: {`,
    `    readonly path: ${parameters("path")}`,
    `    readonly query: ${parameters("query")}`,
    `    readonly body: ${body === undefined ? "undefined" : typeOf(body, "    ")}`,
    `    readonly answer: ${answerType(operation)}`,
    "  }"
  ].join("\n")
}

/** The content of a success: the JSON of 200 or 201; files are bytes. */
const answerType = ({ responses }: OperationObject): string => {
  const content = (responses["201"] ?? responses["200"])?.content ?? {}
  const json = content["application/json"]?.schema
  return json === undefined || Object.keys(content).length > 1 ? "Uint8Array" : typeOf(json, "    ")
}
