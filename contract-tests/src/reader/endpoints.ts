import { randomUUID } from "node:crypto"
import { type Sentence } from "../sentences/readSentences.ts"
import { newKey } from "./Deployment.ts"
import { type Finding, finding, same } from "./Finding.ts"
import { type Ground, saleOf } from "./sale.ts"

/** An operation as the page has it: a heading with its paragraph, or a row of a table. */
export interface Endpoint {
  readonly row: string
  readonly method: string
  readonly path: string
  /** The scopes that it names, one of which it asks for. */
  readonly scopes: ReadonlyArray<string>
  readonly keyed: boolean
}

const scopesIn = (text: string): ReadonlyArray<string> => [...text.matchAll(/[a-z-]+:(?:read|write|close)/g)].map(([scope]) => scope)
const withoutAnchors = (text: string): string => text.replaceAll(/<a id="[^"]*"><\/a>/g, "").trim()

const ofHeadings = (page: string): ReadonlyArray<Endpoint> =>
  page.split(/^### /m).slice(1).flatMap((part) => {
    const [head = "", ...lines] = part.split("\n")
    const [, method, path] = /^(GET|POST|PUT) (\S+)/.exec(withoutAnchors(head)) ?? []
    const text = withoutAnchors(lines.join(" "))
    return method === undefined || path === undefined ? [] : [{ row: `${method} ${path}`, method, path, scopes: scopesIn(text).slice(0, 1), keyed: text.includes("Idempotency-Key required") }]
  })

const ofRow = ({ cells, text }: Sentence): ReadonlyArray<Endpoint> => {
  const [, method, path] = /^(GET|POST|PUT) (\/v1\S*)/.exec(cells?.["Method and path"] ?? "") ?? []
  if (method === undefined || path === undefined) return []
  return [{ row: text.slice(0, 120), method, path: path.replace(/\?.*$/, ""), scopes: scopesIn(text).slice(0, 1), keyed: text.includes("Idempotency-Key") }]
}

export const endpointsOf = (page: string, sentences: ReadonlyArray<Sentence>): ReadonlyArray<Endpoint> => [...ofHeadings(page), ...sentences.flatMap(ofRow)]

/** The two query parameters of what is about a taxpayer or a premise. */
const queryOf = ({ method, path }: Endpoint, { deployment: { settings } }: Ground): string =>
  path === "/v1/tax-rates" ? `?taxpayerId=${settings.taxpayerId}&businessPremiseId=${settings.businessPremiseId}`
    : method !== "PUT" && /\/(?:import|export)$/.test(path) ? `?taxpayerId=${settings.taxpayerId}` : ""

/** Without a token, with a broken one, with one that lacks the scope, and about an object that does not exist. */
const access = async (ground: Ground, endpoint: Endpoint): Promise<ReadonlyArray<string>> => {
  const { deployment } = ground
  const { method, path, scopes } = endpoint
  const address = path.replaceAll(/\{[^}]+\}/g, (name) => name.includes("Format") ? "pdf-a4" : randomUUID()) + queryOf(endpoint, ground)
  const type = path.endsWith("/import") ? { type: "text/csv" } : {}
  const body = method === "GET" ? {} : { body: path.endsWith("/import") ? "sku" : {}, ...type }
  const [scope] = scopes
  const other = scope === "tenant:read" ? "configuration:read" : "tenant:read"
  const status = async (token: string | null, more: object = {}) => (await deployment.ask(method, address, { ...body, ...more, token })).status
  return [
    ...same("without a token", await status(null), 401),
    ...same("with a broken token", await status("x.y.z"), 401),
    ...(scope === undefined ? [] : same(`with ${other} alone`, await status(await deployment.token(deployment.settings, other)), 403)),
    // With the scope it is no longer refused for it.
    ...(scope === undefined ? [] : same(`with ${scope} alone`, [401, 403].includes(await status(await deployment.token(deployment.settings, scope), { key: newKey() })), false)),
    ...(method === "GET" && path.includes("{") ? same("about an unknown object", await status(await deployment.token()), 404) : [])
  ]
}

/** Idempotency-Key | 16 to 200 characters. */
const keys = async ({ deployment }: Ground, { path }: Endpoint, [least = 0, most = 0]: ReadonlyArray<number>): Promise<ReadonlyArray<string>> => {
  const address = path.replaceAll(/\{[^}]+\}/g, () => randomUUID())
  const refused = async (key: string | undefined) => {
    const { json, status } = await deployment.ask("POST", address, { body: {}, ...(key === undefined ? {} : { key }) })
    return status === 422 && "IdempotencyKey" in (json?.errors ?? {}) || status === 422 && Object.keys(json?.errors ?? {}).some((name) => /Idempotency-?Key/.test(name))
  }
  const key = (length: number) => newKey().padEnd(length, "k").slice(0, length)
  return [
    ...same("refused without a key", await refused(undefined), true),
    ...same(`refused with ${least - 1} characters`, await refused(key(least - 1)), true),
    ...same(`refused with ${most + 1} characters`, await refused(key(most + 1)), true),
    ...same(`refused with ${least} characters`, await refused(key(least)), false),
    ...same(`refused with ${most} characters`, await refused(key(most)), false)
  ]
}

/** Every operation of the page: its access, and its key where it takes one. */
export const endpoints = async (ground: Ground, page: string, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const limit = sentences.find(({ cells }) => cells?.["Subject"] === "Idempotency-Key")?.cells?.["Limit"] ?? ""
  const [, least, most] = /(\d+) to (\d+) characters/.exec(limit) ?? []
  const findings: Array<Finding> = []
  for (const endpoint of endpointsOf(page, sentences)) {
    findings.push(finding(endpoint.row, await access(ground, endpoint), endpoint.keyed ? await keys(ground, endpoint, [Number(least), Number(most)]) : []))
  }
  return findings
}

/** Each scope of the table is granted alone, and the token says so. */
export const scopes = async ({ deployment }: Ground, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const rows = sentences.filter(({ cells }) => cells?.["Scope"] !== undefined && cells["Allows"] !== undefined)
  return Promise.all(rows.map(async ({ cells, text }) => {
    const judged = await Promise.all((cells?.["Scope"] ?? "").split(", ").map(async (scope) => {
      const token = await deployment.token(deployment.settings, scope)
      if (token === "") return [`no token for ${scope}`]
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { readonly scope?: string }
      return same("the token's scope", claims.scope, scope)
    }))
    return finding(text, judged.flat())
  }))
}

/** A request that is not JSON, and a body of another type. */
export const transport = async (ground: Ground): Promise<ReadonlyArray<Finding>> => {
  const { deployment } = ground
  const answer = await deployment.issue("/v1/fiscal-documents", saleOf(ground))
  const csv = await deployment.ask("POST", "/v1/fiscal-documents", { body: "a,b", key: newKey(), type: "text/csv" })
  return [
    finding("JSON bodies are sent and accepted as application/json.", same("an answer's type", answer.headers.get("content-type")?.split(";")[0], "application/json"), same("a body of another type", csv.status, 415))
  ]
}
