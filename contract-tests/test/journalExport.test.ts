import { layerDatabase, layerOperationStore } from "@overa/adapter-postgres"
import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessToken } from "../src/support/accessToken.ts"
import { multiplyDocuments, storePatterns } from "../src/support/manyDocuments.ts"
import type { OperatorDesk } from "../src/support/operatorDesk.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { shopDesk } from "../src/support/shopDesk.ts"

const limit = 10_000

let desk: OperatorDesk
let api: RunningRestApi
let token: string
let client: pg.Client
/** Every document of the shop, the latest first. */
let documents: ReadonlyArray<{ readonly id: string; readonly createdAt: string }>

const headers = () => ({ Authorization: `Bearer ${token}` })
const urlOf = (query: Readonly<Record<string, string>>) => `${api.url}/v1/journal/export?${new URLSearchParams(query)}`
const theLatest = (count: number) => ({ createdFrom: documents[count - 1]?.createdAt ?? "" })

beforeAll(async () => {
  const opened = await shopDesk()
  desk = opened.desk
  const { shop } = opened
  const settings = { ...desk.environment, PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api-1", OVERA_RATE_LIMIT_PER_SECOND: "1000000", OVERA_RATE_LIMIT_BURST: "1000000" }
  api = await startRestApi(await Effect.runPromise(Effect.provide(restApiConfig, ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))), () => {})
  token = await accessToken(api, shop)
  client = await desk.database.client()
  const pattern = mintPlace()
  const store = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(desk.database.url), applicationName: "patterns" }))
  await Effect.runPromise(Effect.provide(storePatterns(pattern), store))
  await multiplyDocuments(client, pattern, { organizationId: shop.organizationId as typeof pattern.organizationId, environment: "sandbox" }, { count: limit + 1, days: 365 })
  await client.query("analyze operations")
  const { rows } = await client.query("select operation_id as id, created_at from operations where organization_id = $1 order by created_at desc, operation_id desc", [shop.organizationId])
  documents = rows.map(({ created_at, id }) => ({ id, createdAt: (created_at as Date).toISOString() }))
}, 240_000)
afterAll(async () => {
  await api.stop()
  await desk.close()
})

/** Statements of the host that wait for the lock another session holds on the documents. */
const waiting = async (): Promise<ReadonlyArray<number>> =>
  (await client.query(`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from operations%'`)).rows.map(({ pid }) => pid)

/** Blocks every statement on the documents while `work` runs. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const other = await desk.database.client()
  await other.query("begin")
  await other.query("lock table operations in access exclusive mode")
  try {
    await work()
  } finally {
    await other.query("rollback")
  }
}

const opened = (query: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(urlOf(query), { headers: headers(), agent: false }, resolve).on("error", reject))

/** Counts the lines that arrive; the last one may be cut off. */
const countLines = (answer: IncomingMessage) => {
  const counted = { lines: 0, ended: false, broken: false }
  answer.setEncoding("utf8")
  answer.on("data", (text: string) => {
    counted.lines += text.split("\r\n").length - 1
  })
  answer.on("end", () => (counted.ended = true))
  answer.on("error", () => (counted.broken = true))
  return counted
}

/** An export whose first bytes arrived before its caller stopped reading, with the documents locked since. */
const stalled = async (work: (answer: IncomingMessage, counted: ReturnType<typeof countLines>) => Promise<void>): Promise<void> => {
  const answer = await opened(theLatest(limit))
  expect(answer.statusCode).toBe(200)
  await once(answer, "readable")
  await whileLocked(async () => {
    const counted = countLines(answer)
    await expect.poll(waiting, { timeout: 15_000 }).toHaveLength(2)
    await expect.poll(async () => {
      const before = counted.lines
      await new Promise((resolve) => setTimeout(resolve, 200))
      return counted.lines === before
    }, { timeout: 15_000 }).toBe(true)
    await work(answer, counted)
  })
}

describe("an export of the journal from PostgreSQL", () => {
  it("holds exactly ten thousand documents, in the journal's order", async () => {
    const answer = await fetch(urlOf(theLatest(limit)), { headers: headers() })
    expect(answer.status).toBe(200)
    const [, ...rows] = (await answer.text()).trimEnd().split("\r\n")
    expect(rows.map((row) => row.slice(0, 36))).toEqual(documents.slice(0, limit).map(({ id }) => id))
  })

  it("refuses one document more before its first byte", async () => {
    const answer = await fetch(urlOf(theLatest(limit + 1)), { headers: headers() })
    expect([answer.status, answer.headers.get("content-type")]).toEqual([422, "application/json"])
    expect(await answer.json()).toMatchObject({ code: "JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED" })
  })

  it("reads no further than its caller, and ends its queries when he leaves", async () => {
    await stalled(async (answer, counted) => {
      expect(counted.lines).toBeLessThan(limit)
      answer.destroy()
      await expect.poll(waiting, { timeout: 5_000 }).toEqual([])
    })
    expect((await fetch(urlOf(theLatest(3)), { headers: headers() })).status).toBe(200)
  }, 60_000)

  it("breaks off where the database fails, so that a part never looks like the whole", async () => {
    await stalled(async (_answer, counted) => {
      for (const pid of await waiting()) await client.query("select pg_terminate_backend($1)", [pid])
      await expect.poll(() => counted.broken, { timeout: 15_000 }).toBe(true)
      expect(counted.ended).toBe(false)
    })
    expect((await fetch(urlOf(theLatest(3)), { headers: headers() })).status).toBe(200)
  }, 60_000)

  it.each(["journal", "journal/export", "reports/turnover"])("%s: a caller who leaves before the answer ends its query", async (path) => {
    await whileLocked(async () => {
      const gone = new AbortController()
      const asked = fetch(`${api.url}/v1/${path}`, { headers: headers(), signal: gone.signal }).catch((error: unknown) => error)
      await expect.poll(waiting, { timeout: 5_000 }).toHaveLength(1)
      gone.abort()
      await expect.poll(waiting, { timeout: 5_000 }).toEqual([])
      expect(await asked).toBeInstanceOf(Error)
    })
    expect((await fetch(`${api.url}/v1/journal?pageSize=1`, { headers: headers() })).status).toBe(200)
  }, 30_000)
})
