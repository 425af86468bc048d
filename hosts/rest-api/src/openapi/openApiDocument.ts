import type { GrantableScope } from "@overa/domain"
import { stringify } from "yaml"
import { documentSchemas, type JsonSchema, shapeSchemas } from "@overa/host-kit/contract"
import { errorSchemas } from "../contract/errorSchemas.ts"
import { canonicalReceiptSchemas } from "../contract/canonicalReceipt.ts"
import { webhooksOf } from "./webhooksOf.ts"
import { type Operation, type ResponseHeader, tags } from "../http/Operation.ts"
import { answerSchemas } from "../operations/operations.ts"
import { codeSamples, exampleKey } from "./codeSamples.ts"
import { operationResponses } from "./operationResponses.ts"

/** The version of the contract. Source: Spec, Versioning 1. */
export const contractVersion = "1.0.0"

const scopeMeanings: Readonly<Record<GrantableScope, string>> = {
  "fiscal:write": "Normal Sale, copies, e-mail delivery",
  "fiscal:read": "Documents, representations, journal, reports, deliveries, advance cases",
  "refund:write": "Refund workflows",
  "advance:write": "Open an advance case, advance payments, cancellations",
  "advance:close": "Close an advance case",
  "proforma-training:write": "Proforma and training",
  "operations:read": "Operation state",
  "catalogue:read": "Read the catalogue, export",
  "catalogue:write": "Change the catalogue, import",
  "configuration:read": "Tax rates",
  "tenant:read": "Taxpayers, premises, runtime, licence",
  "security-elements:read": "Certificate metadata",
  "credentials:manage": "Credentials of the organization: an extension, granted by an operator alone",
  "webhooks:manage": "Endpoints that events are sent to (an extension)"
}

const responseHeaders: Readonly<Record<
  ResponseHeader | "X-Request-Id" | "Link" | "WWW-Authenticate" | "RateLimit" | "RateLimit-Policy",
  JsonSchema
>> = {
  "X-Request-Id": header("Identifies this request in the operator's log.", { type: "string" }),
  "Link": header("The page that explains the error's code, as `rel=\"help\"`.", { type: "string" }),
  "WWW-Authenticate": header("The scheme to authenticate with and, where a token was sent, why it was refused (RFC 6750 §3).", { type: "string" }),
  "RateLimit": header("What is left of the credential's rate, as in the RateLimit draft of the IETF.", { type: "string" }),
  "RateLimit-Policy": header("The credential's rate.", { type: "string" }),
  "Location": header("Where the new object can be read; with 503 where to ask what became of the request, with 409 what it waits for.", { type: "string", format: "uri-reference" }),
  "Retry-After": header("Seconds after which the same request with the same key makes sense. An outcome that is not known is looked up at `Location` after that time; the same request answers the same and sends nothing again.", { type: "integer" }),
  "Idempotency-Replayed": header("`true` when the answer was stored before this request.", { type: "string", enum: ["true"] }),
  "ETag": header("Strong entity tag of the representation.", { type: "string" }),
  "Content-Disposition": header("The file's name.", { type: "string" }),
  "Cache-Control": header("How long the representation may be kept.", { type: "string" })
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema }
}

/** Every text in quotes: readers of YAML 1.1 take an unquoted timestamp for a date. */
export const openApiYaml = (document: ReturnType<typeof openApiDocument>): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" })

/** The addresses that the document names. */
export interface ContractAddresses {
  readonly baseUrl: string
  readonly tokenUrl: string
  /** The operator's contact address. */
  readonly contactEmail: string | null
}

/** The OpenAPI 3.1 document of the declared operations. Everything in it comes from the declarations that also route, validate and authorize. */
export const openApiDocument = (operations: ReadonlyArray<Operation>, addresses: ContractAddresses) => ({
  openapi: "3.1.0",
  info: {
    title: "Overa: fiscal receipts for distance commerce",
    version: contractVersion,
    summary: "Issues fiscal receipts through the tax authority's V-PFR.",
    description:
      "One call fiscalizes items and payments and answers with the receipt number, the verification link, the official text, PDF files and a QR code. A receipt exists only when `fiscalized` is true.",
    license: { name: "EUPL-1.2", url: "https://eupl.eu/1.2/en/" },
    contact: { name: "The operator of this installation", url: `${addresses.baseUrl}/docs`, ...(addresses.contactEmail === null ? {} : { email: addresses.contactEmail }) }
  },
  servers: [
    { url: "/", description: "The installation this document was fetched from; the credential decides the environment." },
    { url: addresses.baseUrl, description: "The same installation by its public address." }
  ],
  security: [{ clientCredentials: [] }],
  tags: Object.entries(tags)
    .filter(([name]) => operations.some(({ tag }) => tag === name))
    .map(([name, description]) => ({ name, description }))
    .toSorted((a, b) => a.name < b.name ? -1 : 1),
  paths: pathsOf(operations),
  webhooks: webhooksOf,
  components: {
    securitySchemes: {
      clientCredentials: {
        type: "oauth2",
        description: "OAuth 2.0 client credentials; a token is valid for 300 seconds and carries every scope of the credential.",
        flows: { clientCredentials: { tokenUrl: addresses.tokenUrl, scopes: scopeMeanings } }
      }
    },
    headers: responseHeaders,
    schemas: usedSchemas(operations)
  }
})

const pathsOf = (operations: ReadonlyArray<Operation>): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(operation)
  }
  return paths
}

const operationObject = (operation: Operation) => ({
  operationId: operation.id,
  summary: operation.summary,
  description: operation.description,
  tags: [operation.tag],
  security: [{ clientCredentials: operation.scope === null ? [] : [operation.scope] }],
  parameters: parametersOf(operation),
  ...(operation.body === null ? {} : {
    requestBody: {
      required: true,
      description: operation.body.description,
      content: { [operation.body.mediaType]: { schema: operation.body.schema, example: operation.body.example } }
    }
  }),
  responses: operationResponses(operation),
  "x-codeSamples": codeSamples(operation)
})

const parametersOf = (operation: Operation): ReadonlyArray<unknown> => [
  ...Object.entries(operation.pathParameters).map(([name, parameter]) => ({ name, in: "path", required: true, ...parameter })),
  ...Object.entries(operation.query).map(([name, { description, required, schema }]) => ({
    name,
    in: "query",
    required,
    description,
    schema
  })),
  ...(operation.idempotent
    ? [{
      name: "Idempotency-Key",
      in: "header",
      required: true,
      description: "Names this one receipt, chosen before sending: the same key never issues a second one.",
      schema: { type: "string", minLength: 16, maxLength: 200, pattern: "^[\\x21-\\x7e]{16,200}$" },
      example: exampleKey
    }]
    : [])
]

/** The named schemas that the operations use, so that the document contains nothing unused. */
const usedSchemas = (operations: ReadonlyArray<Operation>): Readonly<Record<string, JsonSchema>> => {
  const all: Readonly<Record<string, JsonSchema>> = {
    ...documentSchemas,
    ...answerSchemas,
    ...shapeSchemas([...new Set(operations.flatMap(({ body }) => body?.shape ?? []))]),
    ...canonicalReceiptSchemas,
    ...errorSchemas
  }
  const used = new Map<string, JsonSchema>()
  const visit = (node: unknown): void => {
    const text = JSON.stringify(node)
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name]
      if (schema === undefined) throw new Error(`The contract names a schema that does not exist: ${name}`)
      if (used.has(name)) continue
      used.set(name, schema)
      visit(schema)
    }
  }
  visit(pathsOf(operations))
  visit(webhooksOf)
  return Object.fromEntries([...used].sort(([a], [b]) => a.localeCompare(b)))
}
