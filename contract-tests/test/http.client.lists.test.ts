import { OveraClient, RequestInvalid, RequestRefused } from "@overa/client"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

describe("the client's lists and files", () => {
  let memory: MemoryApi
  let asked: Array<URL>
  let onAnswer: (url: URL) => Promise<void>
  let client: OveraClient
  beforeAll(async () => {
    memory = await startMemoryApi()
  })
  afterAll(() => memory.running.stop())
  beforeEach(() => {
    asked = []
    onAnswer = async () => {}
    memory.surroundings.store = true
    const { authUrl, baseUrl, clientId, clientSecret } = memory.target
    const pages = async (url: string, init: RequestInit) => {
      const answer = await fetch(url, init)
      const at = new URL(url)
      if (init.method === "GET") {
        asked.push(at)
        await onAnswer(at)
      }
      return answer
    }
    client = new OveraClient({ baseUrl, authUrl, clientId, clientSecret, surroundings: { fetch: pages, wait: async () => void (memory.surroundings.store = true) } })
  })

  const sell = (clientReference: string) => client.sale(sampleSale(memory.target, { clientReference }) as Parameters<OveraClient["sale"]>[0]).send()
  const pageSizes = () => asked.map((url) => [url.searchParams.get("pageSize"), url.searchParams.has("cursor")])
  const taken = async <A>(list: AsyncIterable<A>, most = Number.POSITIVE_INFINITY): Promise<ReadonlyArray<A>> => {
    const items: Array<A> = []
    for await (const item of list) {
      items.push(item)
      if (items.length === most) break
    }
    return items
  }
  const mine = async (count: number) => {
    const mark = randomUUID()
    const ids = []
    for (let at = 0; at < count; at++) ids.push((await sell(`${mark} ${at}`)).id)
    return { query: { text: mark, pageSize: 3 }, ids: ids.toReversed() }
  }

  it("journal() gives every document once, latest first, as a single read shows it", async () => {
    const { ids, query } = await mine(7)
    const documents = await taken(client.journal(query))
    expect(documents.map(({ id }) => id)).toEqual(ids)
    expect(pageSizes()).toEqual([["3", false], ["3", true], ["3", true]])
    expect(asked.every((url) => url.searchParams.get("text") === query.text)).toBe(true)
    expect(documents[0]).toEqual(await client.call("readFiscalDocument", { path: { fiscalDocumentId: ids[0] ?? "" } }))
  })

  it("asks for a page only when it is needed, and for none after a break", async () => {
    const { ids, query } = await mine(7)
    expect((await taken(client.journal(query), 3)).map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(pageSizes()).toEqual([["3", false]])
    expect((await taken(client.journal(query), 4)).map(({ id }) => id)).toEqual(ids.slice(0, 4))
    expect(pageSizes()).toEqual([["3", false], ["3", false], ["3", true]])
  })

  it("repeats and loses nothing while documents are issued between the pages", async () => {
    const { ids, query } = await mine(7)
    onAnswer = async (url) => void (url.pathname === "/v1/journal" && (await sell(`${query.text} ${asked.length} new`)))
    expect((await taken(client.journal(query))).map(({ id }) => id)).toEqual(ids)
  })

  it("goes on after a page that the store could not answer", async () => {
    const { ids, query } = await mine(5)
    onAnswer = async () => void (memory.surroundings.store = asked.length !== 1)
    expect((await taken(client.journal(query))).map(({ id }) => id)).toEqual(ids)
    expect(asked.length).toBe(2)
  })

  it("throws what is wrong with the filters at the first page, and stops when it is told to", async () => {
    await expect(taken(client.journal({ pageSize: 0 }))).rejects.toBeInstanceOf(RequestInvalid)
    const { query } = await mine(5)
    const gone = new AbortController()
    const pages = client.journal(query, gone.signal)
    for (let at = 0; at < 3; at++) await pages.next()
    gone.abort()
    await expect(pages.next()).rejects.toThrow(/abort/i)
    expect(asked.length).toBe(2)
  })

  it("products() gives every product once, newest first; files go in and come back", async () => {
    const { taxpayerId } = memory.target
    const mark = randomUUID().slice(0, 8)
    const file = ["sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive", ...[1, 2, 3, 4, 5].map((at) => `${mark}-${at},Шећер ${mark},,kom,1.50,A,${at % 2 === 0}`), ""].join("\n")
    expect(await client.importProducts(taxpayerId, file)).toEqual({ created: 5, updated: 0, total: 5 })
    const found = await taken(client.products({ search: `secer ${mark}`, pageSize: 2 }))
    expect(found.map(({ sku }) => sku).toSorted()).toEqual([1, 2, 3, 4, 5].map((at) => `${mark}-${at}`))
    expect(pageSizes()).toEqual([["2", false], ["2", true], ["2", true]])
    expect((await taken(client.products({ search: mark, isActive: true }))).length).toBe(2)
    expect(await client.exportProducts(taxpayerId)).toContain(`${mark}-1,Шећер ${mark},,kom,1.50,A,false\n`)
    await expect(client.importProducts(taxpayerId, file.replace("1.50", "1.505"))).rejects.toBeInstanceOf(RequestInvalid)
    await expect(client.importProducts(randomUUID(), file)).rejects.toBeInstanceOf(RequestRefused)
  })

  it("an export of the journal is a file as bytes", async () => {
    const { ids, query } = await mine(2)
    const file = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await client.call("exportJournal", { query: { text: query.text, delimiter: "semicolon" } }))
    expect(file.startsWith("\uFEFFid;createdAt;")).toBe(true)
    expect(file.trimEnd().split("\r\n").slice(1).map((row) => row.slice(0, 36))).toEqual(ids)
  })
})
