import { sampleSale } from "../http/sampleSale.ts"
import { newKey } from "../support/ApiClient.ts"
import type { CheckName } from "./proofs.ts"
import type { Sentence } from "./readSentences.ts"
import { type Deviations, hasNames, holdsFields, holdsList, schemaOf } from "./shapes.ts"
import type { World } from "./world.ts"

type Check = (sentence: Sentence, world: World) => Deviations | Promise<Deviations>

const sales = "/v1/fiscal-documents"
const expected = (what: string, found: unknown, wanted: unknown): Deviations =>
  JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`]

const dryRun = async ({ api }: World, body: unknown) => api.send({ method: "POST", path: `${sales}/dry-run`, token: await api.token(), body })

/** The operation of a path as the specification writes it: names in braces may differ, a query is not part of it. */
const declared = ({ contract }: World, method: string, path: string) => {
  const pattern = new RegExp(`^${path.replace(/\?.*$/, "").replaceAll(/\{[^}]+\}/g, "\\{[^}]+\\}")}$`)
  const found = Object.keys(contract.paths).find((one) => pattern.test(one))
  const operation = found === undefined ? undefined : contract.paths[found]?.[method.toLowerCase()]
  return found === undefined || operation === undefined ? null : { path: found, operation }
}

const scopedToken = async ({ api: { target } }: World, scope: string): Promise<string> => {
  const answer = await fetch(target.authUrl, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: target.clientId, client_secret: target.clientSecret, scope })
  })
  return ((await answer.json()) as { readonly access_token: string }).access_token
}

const nobody = "01936b0e-0000-7000-8000-000000000000"

/** The operation exists, asks for exactly the scope, and refuses a token without it before anything else. */
const asksScope = async (world: World, method: string, path: string, scope: string): Promise<Deviations> => {
  const found = declared(world, method, path)
  if (found === null) return [`${method} ${path} is not in the contract`]
  const other = scope === "tenant:read" ? "configuration:read" : "tenant:read"
  const address = found.path.replaceAll(/\{[^}]+\}/g, nobody)
  const refused = await world.api.send({ method, path: address, token: await scopedToken(world, other), ...(method === "GET" ? {} : { body: {} }) })
  return [
    ...expected("the declared scope", found.operation.security?.[0]?.clientCredentials, [scope]),
    ...expected("without the scope", [refused.status, refused.json?.code, refused.json?.scope], [403, "INSUFFICIENT_SCOPE", scope])
  ]
}

const asksKey = ({ operation }: NonNullable<ReturnType<typeof declared>>): boolean =>
  operation.parameters?.some((parameter) => parameter.name === "Idempotency-Key" && parameter.required === true) === true

/** `Scope x` stands below the heading of its operation; the anchor of a heading is its method and path. */
const headings: Readonly<Record<string, readonly [string, string, string]>> = {
  "fiscal-documents": ["POST", sales, "fiscal:write"],
  "get-v1-fiscal-documents-fiscaldocumentid": ["GET", `${sales}/{id}`, "fiscal:read"],
  representations: ["GET", `${sales}/{id}/representations/{format}`, "fiscal:read"],
  "get-v1-runtime": ["GET", "/v1/runtime", "tenant:read"],
  "get-v1-taxpayers": ["GET", "/v1/taxpayers", "tenant:read"],
  "get-v1-taxpayers-taxpayerid-business-premises": ["GET", "/v1/taxpayers/{id}/business-premises", "tenant:read"],
  "get-v1-tax-rates": ["GET", "/v1/tax-rates", "configuration:read"],
  refunds: ["POST", "/v1/refund-workflows", "refund:write"]
}

const scopedOperation: Check = async ({ places, text }, world) => {
  const [method = "", path = "", scope = ""] = places.map((place) => headings[place]).find((one) => one !== undefined) ?? []
  const keyed = !text.includes("Idempotency-Key") || asksKey(declared(world, method, path) ?? { path: "", operation: { responses: {} } })
  const says = /^Scope (\S+?)[.,]/.exec(text)?.[1]
  return [
    ...(says === undefined ? [] : expected("the sentence's scope", says, scope)),
    ...(keyed ? [] : ["no Idempotency-Key is asked for"]),
    ...(await asksScope(world, method, path, scope))
  ]
}

/** A row with method, path and scope. */
const catalogueOperation: Check = async ({ text }, world) => {
  const [, method = "", path = ""] = /^(GET|POST|PUT) (\S+?)(?::|\s|$)/.exec(text) ?? []
  const [scope = ""] = /[a-z-]+:(?:read|write|close)/.exec(text) ?? []
  const found = declared(world, method, path)
  const statuses = [...text.matchAll(/\b(20[01]|40[049]|422)\b/g)].map(([status]) => status).filter((status) => found?.operation.responses[status] === undefined)
  return [
    ...(await asksScope(world, method, path, scope)),
    ...(text.includes("Idempotency-Key") && found !== null && !asksKey(found) ? ["no Idempotency-Key is asked for"] : []),
    ...(found === null ? [] : statuses.map((status) => `${status} is not declared`))
  ]
}

/** A body without the field is refused at it, or accepted where the field is optional. */
const withoutField = (body: unknown, path: ReadonlyArray<string>): unknown => {
  const [name = "", ...rest] = path
  if (Array.isArray(body)) return body.map((one) => withoutField(one, path))
  const { [name]: found, ...others } = body as Readonly<Record<string, unknown>>
  return rest.length === 0 ? others : { ...others, [name]: withoutField(found, rest) }
}

const objects: Readonly<Record<string, readonly [schema: string, within: ReadonlyArray<string>]>> = {
  Cashier: ["Cashier", ["cashier"]],
  Buyer: ["Buyer", ["buyer"]],
  LineItem: ["LineItem", ["items"]],
  Payment: ["Payment", ["payments"]]
}

const requestField: Check = async ({ cells }, world) => {
  const [schema, within] = objects[cells?.["Object"] ?? ""] ?? ["FiscalDocumentRequest", []]
  const required = cells?.["Required"] === "yes" || cells?.["Type"]?.includes("required") === true || cells?.["Field"] === "unitOfMeasure"
  const sale = { ...sampleSale(world.api.target), buyer: { id: "20:123456789" } }
  const names = (cells?.["Field"] ?? "").split(", ")
  const answers = await Promise.all(names.map(async (name) => ({ name, answer: await dryRun(world, withoutField(sale, [...within, name])) })))
  return answers.flatMap(({ answer, name }) => [
    ...(schemaOf(world, schema).properties?.[name] === undefined ? [`${name} is not in the schema ${schema}`] : []),
    ...expected(`a body without ${name}`, answer.status, required ? 422 : 200),
    ...(required && !JSON.stringify(answer.json.details).includes(`/${name}"`) ? [`the refusal does not point to ${name}`] : [])
  ])
}

const buyers: Readonly<Record<string, string>> = { 10: "100000008", 11: "0101990800084", 12: "100000008:12345", 14: "100000008", 15: "0101990800084", default: "123456" }

const buyerPrefix: Check = async ({ cells }, world) => {
  const [from = 0, to] = (cells?.["Prefix"] ?? "").split(/ to |, /).map(Number)
  const listed = (cells?.["Prefix"] ?? "").includes(",")
  const prefixes = listed ? (cells?.["Prefix"] ?? "").split(", ") : Array.from({ length: (to ?? from) - from + 1 }, (_, at) => String(from + at))
  const tried = await Promise.all(prefixes.map(async (prefix) => {
    const { status } = await dryRun(world, { ...sampleSale(world.api.target), buyer: { id: `${prefix}:${buyers[prefix] ?? buyers["default"]}` } })
    return expected(`a buyer ${prefix}:`, status, 200)
  }))
  return tried.flat()
}

const paymentTypes: Check = async ({ text }, world) => {
  const types = /: ([A-Z_, ]+)\./.exec(text.replaceAll("*", ""))?.[1]?.split(", ") ?? []
  const tried = await Promise.all(types.map(async (type) => expected(type, (await dryRun(world, { ...sampleSale(world.api.target), payments: [{ type, amount: 2401 }] })).status, 200)))
  return [...expected("the contract's types", schemaOf(world, "PaymentType").enum?.toSorted(), types.toSorted()), ...tried.flat()]
}

const otherPairs = ["NORMAL REFUND", "COPY SALE", "COPY REFUND", "ADVANCE SALE", "ADVANCE REFUND", "PROFORMA SALE", "TRAINING REFUND"]

/** What this operation does not issue, it refuses with the operation that does. */
const documentType: Check = async ({ cells }, world) => {
  const pairs = cells === null ? otherPairs : (cells["transactionType"] ?? "").split(" or ").map((transaction) => `${cells["invoiceType"]} ${transaction}`)
  const operation = cells === null ? "" : /\/v1\/[a-z-]+/.exec(cells["Operation"] ?? "")?.[0] ?? ""
  const tried = await Promise.all(pairs.map(async (pair) => {
    const [invoiceType, transactionType] = pair.split(" ")
    const { json, status } = await dryRun(world, { ...sampleSale(world.api.target), invoiceType, transactionType })
    if (pair === "NORMAL SALE") return expected(pair, status, 200)
    const message = String(json.errors?.InvoiceType)
    return [...expected(pair, [status, Object.keys(json.errors ?? {})], [422, ["InvoiceType"]]), ...(message.includes(operation) ? [] : [`${pair} is not sent to ${operation}: ${message}`])]
  }))
  return tried.flat()
}

/** What a code's page says where the specification says when to repeat. */
const repeats: Readonly<Record<string, RegExp>> = {
  "same key": /Repeat\? Yes|Repeat\? .*same key/,
  "fix request": /Repeat\? Not as it is/,
  later: /Repeat\? Later/,
  never: /Repeat\? No:/
}

/** The code is declared with its status, or as a failure code of documents, and its page says when to repeat. */
const code: Check = async ({ cells }, world) => {
  const { Code: written = "", HTTP: status = "", Retry: retry = "" } = cells ?? {}
  const name = written === "(none)" ? "UNAUTHENTICATED" : /PFR_VALIDATION_REJECTED|[A-Z_]{4,}/.exec(written.replace("REJECTED (", "("))?.[0] ?? ""
  const page = await fetch(`${world.api.target.baseUrl}/docs/errors/${name}`, { headers: { Accept: "text/html" } })
  const text = (await page.text()).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")
  const advice = /^(same key|fix request|later|never)/.exec(retry)?.[0] ?? ""
  return [
    ...(world.text.includes(name) ? [] : [`${name} is not in the contract`]),
    ...expected("its page", page.status, 200),
    ...(text.includes(status) ? [] : [`its page does not say ${status}`]),
    ...(repeats[advice]?.test(text) === true ? [] : [`its page does not say ${advice}`])
  ]
}

const representationUrls: Check = ({ text }, { sale }) => {
  const names = [...text.matchAll(/\b(\w+Url)\b/g)].map(([, name = ""]) => name)
  const relative = names.filter((name) => name !== "verificationUrl").map((name) => String(sale.receipt[name]))
  const formats = ["official-text", "canonical-json", "pdf-a4", "pdf-80mm", "pdf-58mm", "preview-png", "qr-svg"].map((format) => `${sales}/${sale.id}/representations/${format}`)
  return text.startsWith("textUrl")
    ? [...hasNames(names, sale.receipt), ...expected("the addresses", relative.toSorted(), formats.toSorted())]
    : hasNames([/^\w+/.exec(text)?.[0] ?? ""], sale.receipt)
}

const representations: Check = async ({ text }, world) => {
  const formats = /One of ([^;]+);/.exec(text)?.[1]?.split(", ") ?? []
  const token = await world.api.token()
  const drawn = await Promise.all(formats.map(async (format) =>
    expected(format, (await fetch(`${world.api.target.baseUrl}${sales}/${world.sale.id}/representations/${format}`, { headers: { Authorization: `Bearer ${token}` } })).status, 200)))
  return [...expected("the number of formats", formats.length, 7), ...drawn.flat()]
}

const scopes: Check = ({ cells }, { token }) => {
  const granted = String(token.scope).split(" ")
  return cells === null ? expected("the number of scopes", granted.length, 12) : (cells["Scope"] ?? "").split(", ").flatMap((scope) => granted.includes(scope) ? [] : [`${scope} is not granted`])
}

const tokenAnswer: Check = (_sentence, { token }) => [
  ...hasNames(["access_token", "scope"], token),
  ...expected("the rest", [token.expires_in, token.refresh_expires_in, token.token_type, token["not-before-policy"]], [300, 0, "Bearer", 0]),
  ...expected("the parts of the token", String(token.access_token).split(".").length, 3)
]

const unauthenticated: Check = async (_sentence, { api }) => {
  const tried = await Promise.all([undefined, "no.token.atall"].map((token) => api.send({ method: "GET", path: "/v1/runtime", ...(token === undefined ? {} : { token }) })))
  return tried.flatMap(({ status }) => expected("without a valid token", status, 401))
}

const problem: Check = async (_sentence, world) => {
  const { headers, json, status } = await dryRun(world, {})
  return [...hasNames(["type", "title", "status", "errors"], json), ...expected("status", [status, json.status], [422, 422]), ...expected("media type", headers.get("content-type")?.split(";")[0], "application/problem+json")]
}

const keyConflict: Check = async (_sentence, { api }) => {
  const key = newKey()
  const first = await api.post(sales, sampleSale(api.target), { key })
  const other = await api.post(sales, sampleSale(api.target, { clientReference: "other" }), { key })
  return expected("the conflict", [other.status, other.json.code, other.json.operationId], [409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", first.json.id])
}

const keyRequired: Check = (_sentence, world) => {
  const paths = [sales, `${sales}/{id}/copies`, "/v1/refund-workflows", "/v1/advance-cases", "/v1/advance-cases/{id}/payments", "/v1/advance-cases/{id}/cancellations", "/v1/advance-cases/{id}/closing", "/v1/proforma-training-workflows", "/v1/receipt-deliveries"]
  return paths.flatMap((path) => {
    const found = declared(world, "POST", path)
    return found !== null && asksKey(found) ? [] : [`POST ${path} asks for no key`]
  })
}

/** Every check of the program, by its name. */
export const checks: Readonly<Record<CheckName, Check>> = {
  documentField: (sentence, { sale }) => holdsFields(sentence, sale),
  pfrField: (sentence, { sale }) => holdsFields(sentence, sale.pfr),
  refundField: (sentence, { refund }) => holdsFields(sentence, refund),
  productFields: ({ text }, { product }) => holdsList(text.replace("Product: ", ""), product),
  premiseFields: ({ text }, { premise }) => holdsList(text, premise),
  ratesFields: ({ text }, { rates }) => [...hasNames(["source", "environment", "taxpayerId", "businessPremiseId", "currentTaxGroupId", "validFrom", "fetchedAt", "labels"], rates),
    ...hasNames([...(/\{(.*)\}/.exec(text)?.[1] ?? "").matchAll(/(\w+):/g)].map(([, name = ""]) => name), rates.labels[0])],
  runtimeFields: ({ text }, { runtime }) => holdsList(text.replaceAll(",", ";"), runtime),
  representationUrls, requestField, paymentTypes, buyerPrefix, documentType, code, scopedOperation, catalogueOperation, representations, tokenAnswer, scopes,
  version: ({ text }, { contract }) => expected("info.version", contract.info.version, /is (\d+\.\d+\.\d+)/.exec(text)?.[1]),
  prefixV1: (_sentence, { contract }) => Object.keys(contract.paths).filter((path) => !path.startsWith("/v1/")).map((path) => `${path} is outside /v1`),
  keyRequired, unauthenticated, problem, keyConflict
}
