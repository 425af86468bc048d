import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import { worker, workerConfig } from "@overa/worker"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessToken } from "../../src/support/accessToken.ts"
import type { OperatorDesk } from "../../src/support/operatorDesk.ts"
import { bookSale } from "../../src/support/shopCaller.ts"
import { snapshotDatabase } from "./snapshotDatabase.ts"
import type { ThrowawayDatabase } from "../../src/support/throwawayDatabase.ts"
import type { Shop } from "../../src/support/openShop.ts"
import { shopDesk } from "../../src/support/shopDesk.ts"

/** A host and a worker over one database. */
interface Hosts {
  readonly api: RunningRestApi
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly json: { readonly id?: string; readonly code?: string; readonly status?: string; readonly pfr?: { readonly invoiceNumber: string } | null }
}

let desk: OperatorDesk
let shop: Shop
let hosts: Hosts
let backup: ThrowawayDatabase | undefined

const provided = (settings: Readonly<Record<string, string>>) => ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

const startHosts = async (databaseUrl: string): Promise<Hosts> => {
  const settings = { ...desk.environment, DATABASE_URL: databaseUrl, PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api-1", OVERA_WORKER_ID: "worker-1" }
  const api = await startRestApi(await Effect.runPromise(restApiConfig.pipe(Effect.provide(provided(settings)))), () => undefined)
  const config = await Effect.runPromise(workerConfig.pipe(Effect.provide(provided(settings))))
  const running = ManagedRuntime.make(worker(config).pipe(Layer.provide(Logger.layer([]))))
  await running.context()
  return { api, stop: async () => void (await Promise.all([api.stop(), running.dispose()])) }
}

const tokenOf = (): Promise<string> => accessToken(hosts.api, shop)

const sell = async (token: string, key: string): Promise<Answer | null> => {
  try {
    const answer = await fetch(`${hosts.api.url}/v1/fiscal-documents`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(bookSale(shop, key))
    })
    return { status: answer.status, json: await answer.json() as Answer["json"] }
  } catch {
    return null
  }
}

const proofOf = async (token: string, id = ""): Promise<unknown> => {
  for (;;) {
    const answer = await fetch(`${hosts.api.url}/v1/fiscal-documents/${id}/proof`, { headers: { Authorization: `Bearer ${token}` } })
    if (answer.status === 200) return answer.json()
    expect(answer.status, await answer.text()).toBe(429)
    await setTimeout(1_000)
  }
}

/** What a shop keeps of a receipt: of every second one the proof, of the others only the answer. */
const keptOf = async (token: string, { json }: Answer, at: number): Promise<unknown> => at % 2 === 0 ? json : proofOf(token, json.id)

const receiptsAtTheVpfr = async (): Promise<ReadonlyArray<string>> => {
  const { receipts } = await (await fetch(`${desk.simulator.controlUrl}/receipts`)).json() as { readonly receipts: ReadonlyArray<{ readonly invoiceNumber: string }> }
  return receipts.map(({ invoiceNumber }) => invoiceNumber)
}

const one = async <A>(database: ThrowawayDatabase, sql: string): Promise<ReadonlyArray<A>> => {
  const client = await database.client()
  try {
    return (await client.query(sql)).rows as ReadonlyArray<A>
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  ;({ desk, shop } = await shopDesk())
  hosts = await startHosts(desk.database.url)
}, 120_000)
afterAll(async () => {
  await hosts.stop()
  await backup?.drop()
  await desk.close()
})

describe("A restore to a backup taken in the middle of the load", () => {
  it("ends with every receipt of the V-PFR accounted for, and none signed twice", async () => {
    const answers = new Map<string, Answer | null>()
    const kept = new Map<string, { readonly isProof: boolean; readonly value: unknown }>()
    const stop = new AbortController()
    const token = await tokenOf()
    const customers = Array.from({ length: 6 }, async () => {
      while (!stop.signal.aborted) {
        const key = `drill-${randomUUID()}`
        const answer = await sell(token, key)
        answers.set(key, answer)
        const at = answers.size
        if (answer?.status === 201) kept.set(key, { isProof: at % 2 === 1, value: await keptOf(token, answer, at) })
      }
    })
    await setTimeout(2_500)
    backup = await snapshotDatabase(desk.database.url)
    const since = new Date().toISOString()
    await setTimeout(1_500)
    stop.abort()
    await Promise.all(customers)
    await hosts.stop()
    const issued = [...answers].flatMap(([key, answer]) => answer?.status === 201 ? [{ key, number: answer.json.pfr?.invoiceNumber ?? "" }] : [])
    expect(issued.length).toBeGreaterThan(20)

    // The disk is lost. The backup becomes the database, and the operator declares the restore before any host starts.
    const restored = { environment: { ...desk.environment, DATABASE_URL: backup.url } }
    const begun = await desk.admin(["restore", "begin", "--since", since, "--reason", "drill"], restored)
    expect([begun.code, begun.err]).toEqual([0, ""])
    hosts = await startHosts(backup.url)
    const again = await tokenOf()
    const signedBefore = (await receiptsAtTheVpfr()).length
    const reserved = async () => (await one<{ readonly count: string }>(backup as ThrowawayDatabase, "select count(*) from operations"))[0]?.count
    const rowsBefore = await reserved()

    // Callers repeat requests: what the database has lost is refused, with nothing reserved; the rest is replayed.
    const repeated = await Promise.all(issued.map(async ({ key, number }) => ({ number, answer: await sell(again, key) })))
    const forgotten = repeated.filter(({ answer }) => answer?.json.code === "RESTORE_IN_PROGRESS")
    expect(forgotten.length).toBeGreaterThan(0)
    for (const { answer, number } of repeated) {
      if (answer?.status === 200) expect(answer.json.pfr?.invoiceNumber).toBe(number)
      else expect(answer?.status).toBe(503)
    }
    expect((await sell(again, `drill-${randomUUID()}`))?.json.code).toBe("RESTORE_IN_PROGRESS")
    expect([await reserved(), (await receiptsAtTheVpfr()).length]).toEqual([rowsBefore, signedBefore])

    // The worker finds at the V-PFR what was in flight when the backup was taken.
    const unresolved = "select count(*)::int as count from operations where status in ('SUBMITTING', 'OUTCOME_UNKNOWN', 'RECONCILING')"
    await expect.poll(async () => (await one<{ readonly count: number }>(backup as ThrowawayDatabase, unresolved))[0]?.count, { timeout: 90_000 }).toBe(0)
    expect((await receiptsAtTheVpfr()).length).toBe(signedBefore)
    const verified = await desk.admin(["journal", "verify", "--json"], restored)
    expect(verified.json.findings).toBe(0)

    // The callers send the files they have kept: sales with a proof are restored; for the others the key is held.
    const file = desk.file("kept.jsonl", [...kept.values()].map(({ value }) => JSON.stringify(value)).join("\n"))
    const takeBack = async () =>
      (await desk.admin(["restore", "take-back", shop.organizationId, file, "--environment", "sandbox", "--reason", "drill", "--json"], restored))
    const taken = await takeBack()
    expect([taken.code, taken.err]).toEqual([0, ""])
    const results = Object.groupBy(taken.json.items as ReadonlyArray<{ readonly as: string; readonly result: string }>, ({ as, result }) => `${as} ${result}`)
    expect(Object.keys(results).toSorted()).toEqual(["Key KNOWN", "Key PUT_BACK", "Operation KNOWN", "Operation PUT_BACK"])
    const puttingTwice = (await takeBack()).json.items as ReadonlyArray<{ readonly result: string }>
    expect([...new Set(puttingTwice.map(({ result }) => result))]).toEqual(["KNOWN"])
    await expect.poll(async () => (await one<{ readonly count: number }>(backup as ThrowawayDatabase, unresolved))[0]?.count, { timeout: 90_000 }).toBe(0)
    expect((await receiptsAtTheVpfr()).length).toBe(signedBefore)

    // The restore has ended. A repeated request gets its former receipt, or is refused; nothing is signed again.
    expect((await desk.admin(["restore", "end", "--reason", "drill", "--yes"], restored)).code).toBe(0)
    await expect.poll(async () => (await sell(again, `drill-${randomUUID()}`))?.status, { timeout: 10_000 }).toBe(201)
    const signedSince = (await receiptsAtTheVpfr()).length
    const afterwards = await Promise.all(issued.map(async ({ key, number }) => ({ key, number, answer: await sell(again, key) })))
    for (const { answer, key, number } of afterwards) {
      if (answer?.status === 200) expect(answer.json.pfr?.invoiceNumber).toBe(number)
      else expect([kept.get(key)?.isProof, answer?.json.code]).toEqual([false, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
    }
    expect((await receiptsAtTheVpfr()).length).toBe(signedSince)

    // The next receipt of each series shows the missing ones before it: the receipts with only their key held.
    const known = async () => new Set((await one<{ readonly number: string }>(backup as ThrowawayDatabase, "select invoice_number as number from operations where invoice_number is not null")).map(({ number }) => number))
    const stored = await known()
    const missing = (await receiptsAtTheVpfr()).filter((number) => !stored.has(number))
    expect(missing.length).toBeGreaterThan(0)
    expect(missing.length).toBeLessThan(forgotten.length)
    const gaps = async () => {
      const { json } = await desk.admin(["attention", "list", "--json"], restored)
      return (json.items as ReadonlyArray<{ readonly kind: string; readonly detail: string }>).filter(({ kind }) => kind === "COUNTER_GAP").flatMap(({ detail }) => {
        const [, first, last = first, series] = /^counters? (\d+)(?: to (\d+))? of (\S+) /.exec(detail) ?? []
        return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${series}-${Number(first) + at}`)
      })
    }
    // The V-PFR has several signers with their own counters: sales continue until each has signed again.
    const goOn = async () => {
      await sell(again, `drill-${randomUUID()}`)
      return (await gaps()).toSorted()
    }
    await expect.poll(goOn, { timeout: 90_000, interval: 1_000 }).toEqual(missing.toSorted())
    const numbers = await receiptsAtTheVpfr()
    expect(new Set(numbers).size).toBe(numbers.length)
  }, 240_000)
})
