import type { Sentence } from "../sentences/readSentences.ts"
import { type Finding, finding, same } from "./Finding.ts"
import { type Ground, saleOf } from "./sale.ts"

// The contract names the list of products by its path, the other lists by their scope alone; their paths are in the machine-readable contract.
const pagedIn = async ({ deployment }: Ground): Promise<ReadonlyArray<string>> => {
  const { json } = await deployment.ask("GET", "/openapi.json", { token: null })
  const paths = json.paths as Readonly<Record<string, { readonly get?: { readonly parameters?: ReadonlyArray<{ readonly name: string }> } }>>
  return Object.keys(paths).filter((path) => !path.includes("{") && ["pageSize", "cursor"].every((name) => paths[path]?.get?.parameters?.some((parameter) => parameter.name === name) === true))
}

const limitOf = (sentences: ReadonlyArray<Sentence>, subject: string): Sentence | undefined => sentences.find(({ cells }) => cells?.["Subject"] === subject)

const pageSizes = async (ground: Ground, path: string, text: string): Promise<ReadonlyArray<string>> => {
  const [, least = "", most = "", usual = ""] = /(\d+) to (\d+), default (\d+)/.exec(text) ?? []
  const ask = async (query: string) => ground.deployment.ask("GET", `${path}${query}`)
  const status = async (size: string) => (await ask(`?pageSize=${size}`)).status
  const refused = await Promise.all([String(Number(least) - 1), String(Number(most) + 1), "ten", "1.5"].map(status))
  const [whole, first] = [await ask(""), await ask(`?pageSize=${most}`)]
  return [
    ...same(`${path} with ${least} and ${most}`, [await status(least), await status(most)], [200, 200]),
    ...same(`${path} outside`, refused.filter((one) => one !== 400 && one !== 422), []),
    ...same(`${path} with a broken cursor`, [400, 422].includes((await ask("?cursor=broken")).status), true),
    ...same(`${path} by default`, whole.json?.items?.length, Math.min(Number(usual), first.json?.items?.length ?? 0))
  ]
}

/** Every element once, by createdAt and then id, descending, and null at the end. */
const pages = async ({ deployment }: Ground, path: string): Promise<ReadonlyArray<string>> => {
  const seen: Array<{ readonly createdAt: string; readonly id: string }> = []
  let cursor: string | null = null
  let isUuid = true
  for (let page = 0; page < 40; page++) {
    const { json } = await deployment.ask("GET", `${path}?pageSize=7${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`) as { readonly json: { readonly items: typeof seen; readonly nextCursor: string | null } }
    seen.push(...json.items)
    cursor = json.nextCursor
    isUuid &&= cursor === null || /^[0-9a-f-]{36}$/.test(cursor)
    if (cursor === null) break
  }
  const names = seen.map(({ createdAt, id }) => `${createdAt} ${id}`)
  return [
    ...same(`${path} shows each once`, new Set(names).size, names.length),
    ...same(`${path} is ordered`, names, names.toSorted().toReversed()),
    ...(path === "/v1/products" ? same("a product's cursor is a uuid", isUuid, true) : [])
  ]
}

/** A lower bound includes its moment, an upper one does not. */
const timeFilters = async (ground: Ground): Promise<ReadonlyArray<string>> => {
  const { deployment } = ground
  const { json: sold } = await deployment.issue("/v1/fiscal-documents", saleOf(ground))
  const found = async (name: string, time: string) => {
    const { json } = await deployment.ask("GET", `/v1/journal?${name}=${encodeURIComponent(time)}&pageSize=200`)
    return (json.items as ReadonlyArray<{ readonly id: string }>).some(({ id }) => id === sold.id)
  }
  return [
    ...same("createdFrom", await found("createdFrom", sold.createdAt), true),
    ...same("createdTo", await found("createdTo", sold.createdAt), false),
    ...same("pfrFrom", await found("pfrFrom", sold.pfr.sdcTime), true),
    ...same("pfrTo", await found("pfrTo", sold.pfr.sdcTime), false),
    ...same("a time without offset", [400, 422].includes((await deployment.ask("GET", "/v1/journal?createdFrom=2026-08-29T12:00:00")).status), true)
  ]
}

/** `search at most 200 (name, SKU or GTIN); isActive boolean; …` */
const productQuery = async ({ deployment }: Ground): Promise<ReadonlyArray<string>> => {
  const status = async (query: string) => (await deployment.ask("GET", `/v1/products?${query}`)).status
  const refused = (one: number) => one === 400 || one === 422
  return [
    ...same("search of 200", await status(`search=${"a".repeat(200)}`), 200),
    ...same("search of 201 is refused", refused(await status(`search=${"a".repeat(201)}`)), true),
    ...same("isActive", [await status("isActive=true"), await status("isActive=false"), refused(await status("isActive=yes"))], [200, 200, true]),
    ...same("taxpayerId", refused(await status("taxpayerId=none")), true)
  ]
}

/** Pagination, page sizes, time filters and the query of products. */
export const lists = async (ground: Ground, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const [size, order, times, product] = [limitOf(sentences, "Page size"), limitOf(sentences, "Pagination"), limitOf(sentences, "Time filters"), limitOf(sentences, "Product")]
  const paths = await pagedIn(ground)
  const findings: Array<Finding> = []
  for (const path of paths) {
    findings.push(finding(`${path}: ${size?.text}`, await pageSizes(ground, path, size?.text ?? "")))
    findings.push(finding(`${path}: ${order?.text}`, await pages(ground, path)))
  }
  return [...findings, finding(times?.text ?? "Time filters", await timeFilters(ground)), finding(product?.text ?? "Product", await productQuery(ground))]
}
