import { tags } from "../http/Operation.ts"
import { exampleDocument, exampleSale } from "../operations/exampleDocument.ts"
import type { openApiDocument } from "./openApiDocument.ts"
import type { TryItOut } from "./referencePage.ts"

type Document = ReturnType<typeof openApiDocument>

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly description?: string
  readonly schema: { readonly enum?: ReadonlyArray<string>; readonly minimum?: number }
}

interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly [string]
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** Gets a token where there is none or it is about to end, and a tax label that is current. */
const beforeEach = `const get = (name) => pm.collectionVariables.get(name)
const set = (name, value) => pm.collectionVariables.set(name, value)
const send = (request, use) => pm.sendRequest(request, (error, answer) => {
  if (error) throw error
  use(answer.json())
})
const readLabel = () => {
  const address = get("baseUrl") + "/v1/tax-rates?taxpayerId=" + get("taxpayerId") + "&businessPremiseId=" + get("businessPremiseId")
  send({ url: address, method: "GET", header: { Authorization: "Bearer " + get("accessToken") } }, ({ labels }) => {
    set("label", labels.find(({ categoryType }) => categoryType === 0).label)
  })
}
if (Number(get("tokenUntil") || 0) < Date.now()) {
  const fields = { grant_type: "client_credentials", client_id: get("clientId"), client_secret: get("clientSecret") }
  const urlencoded = Object.entries(fields).map(([key, value]) => ({ key, value }))
  send({ url: get("tokenUrl"), method: "POST", body: { mode: "urlencoded", urlencoded } }, (token) => {
    set("accessToken", token.access_token)
    set("tokenUntil", String(Date.now() + (token.expires_in - 30) * 1000))
    if (!get("label")) readLabel()
  })
}
`

/** Checks the answer against the contract, and keeps the id of a created object for the requests that follow. */
const afterwards = (path: string, { operationId, responses }: OperationObject, made: string | undefined): ReadonlyArray<string> => [
  `pm.test("${operationId} is answered as the contract says", () => pm.expect(${JSON.stringify(Object.keys(responses).map(Number))}).to.include(pm.response.code))`,
  ...(made === undefined ? [] : [
    `const location = pm.response.headers.get("Location") || ""`,
    `if (location.startsWith("${path}/") && pm.response.code < 300) pm.collectionVariables.set("${made}", location.split("/").pop())`,
    // Created by an earlier run: the refusal names it.
    `if (pm.response.code === 409 && pm.response.json().${made}) pm.collectionVariables.set("${made}", pm.response.json().${made})`
  ]),
  ...(operationId === "addAdvancePayment" ? [`if (pm.response.code < 300) pm.collectionVariables.set("advanceSaleId", pm.response.json().current.id)`] : [])
]

const exampleLabel = exampleSale.items[0]?.taxLabels[0] ?? ""

/** The examples' ids and label, each with the variable that replaces it. */
const variableFor: Readonly<Record<string, string>> = {
  [exampleDocument.id]: "fiscalDocumentId",
  [exampleDocument.taxpayerId]: "taxpayerId",
  [exampleDocument.businessPremiseId]: "businessPremiseId"
}

const filled = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => filled(one, name))
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, key)]))
  if (typeof value !== "string") return value
  if (name === "advanceSaleId") return "{{advanceSaleId}}"
  if (name === "taxLabels" && value === exampleLabel) return "{{label}}"
  const variable = variableFor[value]
  return variable === undefined ? value.replace(`(${exampleLabel})`, "({{label}})") : `{{${variable}}}`
}

/** An operation's id is its document's; a format is the first one; everything else has a variable of its own name. */
const pathValue = ({ name, schema }: Parameter): string => schema.enum?.[0] ?? (name === "operationId" ? "{{fiscalDocumentId}}" : `{{${name}}}`)

const isInstallations = (name: string): boolean => name === "taxpayerId" || name === "businessPremiseId"

const queryValue = ({ name, schema }: Parameter): string => isInstallations(name) ? `{{${name}}}` : String(schema.enum?.[0] ?? schema.minimum ?? "")

const requestOf = (path: string, method: string, operation: OperationObject) => {
  const own = (place: Parameter["in"]) => operation.parameters.filter((parameter) => parameter.in === place)
  const [content] = Object.entries(operation.requestBody?.content ?? {})
  const query = own("query").map((parameter) => ({
    key: parameter.name, value: queryValue(parameter), description: parameter.description ?? "", disabled: !parameter.required
  }))
  const written = path.replaceAll(/\{(\w+)\}/g, ":$1")
  const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`).join("&")
  return {
    method: method.toUpperCase(),
    description: operation.description,
    header: [
      ...(content === undefined ? [] : [{ key: "Content-Type", value: content[0] }]),
      // A new key each time the request is sent; use a fixed one to send the same request again.
      ...own("header").map(({ description = "", name }) => ({ key: name, value: `${operation.operationId}-{{$guid}}`, description }))
    ],
    url: {
      raw: `{{baseUrl}}${written}${asked === "" ? "" : `?${asked}`}`,
      host: ["{{baseUrl}}"],
      path: written.slice(1).split("/"),
      query,
      variable: own("path").map((parameter) => ({ key: parameter.name, value: pathValue(parameter), description: parameter.description ?? "" }))
    },
    ...(content === undefined ? {} : {
      body: typeof content[1].example === "string"
        ? { mode: "raw", raw: content[1].example, options: { raw: { language: "text" } } }
        : { mode: "raw", raw: JSON.stringify(filled(content[1].example, ""), null, 2), options: { raw: { language: "json" } } }
    })
  }
}

/** The parameter for reading an object created at a path: the last one of the path that has one segment more. */
const madeAt = (document: Document, path: string): string | undefined =>
  Object.keys(document.paths).flatMap((other) => other.startsWith(`${path}/{`) ? [/^\{(\w+)\}$/.exec(other.slice(path.length + 1))?.[1]] : [])
    .find((name) => name !== undefined && !isInstallations(name))

const script = (listen: string, exec: string | ReadonlyArray<string>) => ({ listen, script: { type: "text/javascript", exec: typeof exec === "string" ? exec.split("\n") : exec } })

const itemsOf = (document: Document, tag: string) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, OperationObject>>).filter(([, { tags: [own] }]) => own === tag).map(([method, operation]) => ({
      name: operation.operationId,
      request: requestOf(path, method, operation),
      event: [script("test", afterwards(path, operation, method === "post" ? madeAt(document, path) : undefined))]
    })))

/**
 * The contract as a Postman collection (format 2.1), which Bruno, Insomnia and newman read too: each operation once, with its example. It gets its
 * token itself and passes ids from one request to the next; it contains a credential only where the installation offers one.
 */
export const postmanCollection = (document: Document, offer: TryItOut | null) => {
  const tokenUrl = document.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl
  const values = {
    baseUrl: document.servers[1]?.url ?? "", tokenUrl, clientId: offer?.clientId ?? "", clientSecret: offer?.clientSecret ?? "",
    taxpayerId: offer?.taxpayerId ?? "", businessPremiseId: offer?.businessPremiseId ?? "", label: ""
  }
  return {
    info: {
      name: document.info.title,
      description: `${document.info.description}\n\nRun from the top; what is made is read by the requests below it.`,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}", type: "string" }] },
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
    event: [script("prerequest", beforeEach)],
    item: Object.keys(tags).map((tag) => ({ name: tag, item: itemsOf(document, tag) })).filter(({ item }) => item.length > 0)
  }
}
