import { HttpWitnesses } from "@overa/adapter-webhooks"
import { JournalLog, readCheckpoint, readNote, type Tenant, Witnesses } from "@overa/domain"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type pg from "pg"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { convinces, cosigningWorker, type StartedWitness, startWitness } from "../src/support/witnessStage.ts"

let database: ThrowawayDatabase
let client: pg.Client
let folder: string
let logKeys: ReadonlyArray<string>
const ends: Array<() => Promise<unknown>> = []

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  const worker = cosigningWorker(database, [])
  logKeys = await worker.run(Effect.flatMap(JournalLog, (log) => log.verifierKeys))
  await worker.close()
})
afterAll(() => database.drop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "overa-witnesses-"))
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

const newTenant = async (into: pg.Client = client) => {
  const tenant = mintPlace()
  await registerOrganization(into, tenant.organizationId)
  return tenant
}

const witness = async (name: string): Promise<StartedWitness> => {
  const started = await startWitness(`witness.example/${name}`, join(folder, name), logKeys)
  ends.push(started.stop)
  return started
}

const worker = (witnesses: ReadonlyArray<StartedWitness>, of: ThrowawayDatabase = database, options: Parameters<typeof cosigningWorker>[2] = {}) => {
  const started = cosigningWorker(of, witnesses.map(({ place }) => place), options)
  ends.push(started.close)
  return started
}

const later = (into: pg.Client = client) => into.query("update journal_witnessed set asked_at = now() - interval '2 minutes'")
const sizeOf = (note: string | null): number | null => (note === null ? null : readCheckpoint(readNote(note)?.text ?? "")?.size ?? null)
const itemsOf = async ({ organizationId }: Tenant, into: pg.Client = client): Promise<ReadonlyArray<string>> =>
  (await into.query<{ detail: string }>("select detail from attention where organization_id = $1 and kind = 'LOG_NOT_COSIGNED'", [organizationId])).rows.map(({ detail }) => detail)

describe("A worker with two witnesses", () => {
  it("has each log cosigned by both as it grows, and asks for nothing where nothing has grown", async () => {
    const both = [await witness("a"), await witness("b")]
    const own = worker(both)
    const tenants = [await newTenant(), await newTenant()]
    for (const tenant of tenants) await own.grow(tenant)
    await own.pass()
    for (const tenant of tenants) {
      const note = await own.newest(tenant)
      assert.strictEqual(sizeOf(note), 4)
      assert.isTrue(convinces(note, logKeys, note?.split("\n")[0] ?? "", both.map(({ place }) => place.key)))
    }
    const [first, second] = tenants as [typeof tenants[number], typeof tenants[number]]
    await own.grow(first)
    await own.pass()
    assert.strictEqual(sizeOf(await own.newest(first)), 4, "not twice within a minute")
    await later()
    const before = await own.newest(second)
    await own.pass()
    assert.strictEqual(sizeOf(await own.newest(first)), 8)
    assert.strictEqual(await own.newest(second), before)
    assert.deepStrictEqual(await itemsOf(first), [])
  })

  it("is not held up by one that takes the request and never answers: the other cosigns every log, and both do when it is back", async () => {
    const [alive, slow] = [await witness("a"), await witness("b")]
    const sockets: Array<{ readonly destroy: () => unknown }> = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    ends.push(() => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => silent.close(resolve))
    })
    const dead = { place: { key: slow.place.key, url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/add-checkpoint` }, stop: slow.stop }
    const own = worker([alive, dead], database, { timeoutMillis: 2_000 })
    const tenants = await Promise.all(Array.from({ length: 20 }, () => newTenant()))
    for (const tenant of tenants) await own.grow(tenant)
    const began = Date.now()
    await own.pass()
    assert.isBelow(Date.now() - began, 12_000, "one time-out of two seconds, not one for each log")
    const { rows } = await client.query("select 1 from journal_cosignatures where organization_id = any ($1) and witness like 'witness.example/a%'", [tenants.map(({ organizationId }) => organizationId)])
    assert.lengthOf(rows, tenants.length)
    const back = worker([alive, slow])
    await later()
    await back.pass()
    for (const tenant of tenants) assert.strictEqual(sizeOf(await back.newest(tenant)), 4)
  })

  it("that dies between a witness's answer and its own store finds the size again by the witness's answer", async () => {
    const both = [await witness("a"), await witness("b")]
    const tenant = await newTenant()
    const http = await Effect.runPromise(Effect.provide(Effect.service(Witnesses), HttpWitnesses.layer(both.map(({ place }) => place))))
    // The witnesses cosign, and the worker never hears of it.
    const dying = worker(both, database, { asks: (key, request) => Effect.flatMap(http.ask(key, request), () => Effect.die(new Error("the process ends here"))) })
    await dying.grow(tenant)
    assert.isTrue(await dying.pass().then(() => false, () => true))
    await later()
    const own = worker(both)
    await own.grow(tenant)
    await own.pass()
    assert.strictEqual(sizeOf(await own.newest(tenant)), 8)
    assert.deepStrictEqual(await itemsOf(tenant), [])
  })

  it("keeps nothing of an answer that does not verify", async () => {
    const [honest, forged] = [await witness("a"), await witness("b")]
    const tenant = await newTenant()
    const own = worker([{ ...forged, place: { key: honest.place.key, url: forged.place.url } }])
    await own.grow(tenant)
    await own.pass()
    assert.isNull(await own.newest(tenant))
    assert.lengthOf((await client.query("select 1 from journal_cosignatures where organization_id = $1", [tenant.organizationId])).rows, 0)
  })
})

describe("A database that was restored to an earlier point", () => {
  it("goes on: the witnesses say that they saw more, the item is raised once, and other logs are cosigned as before", async () => {
    const both = [await witness("a"), await witness("b")]
    const first = worker(both)
    const [tenant, stranger] = [await newTenant(), await newTenant()]
    await first.grow(tenant)
    await later()
    await first.pass()
    await first.close()
    await client.end()
    const earlier = await throwawayDatabase({ copyOf: database })
    ends.push(earlier.drop)
    client = await database.client()
    const lost = worker(both)
    await lost.grow(tenant)
    await lost.grow(tenant)
    await later()
    await lost.pass()
    assert.strictEqual(sizeOf(await lost.newest(tenant)), 12)

    const restored = await earlier.client()
    const own = worker(both, earlier)
    await own.grow(tenant)
    await later(restored)
    await own.pass()
    const [behind, ...more] = await itemsOf(tenant, restored)
    assert.include(behind, "it has cosigned 12 entries. The log has fewer")
    assert.lengthOf(more, 0, "one item is open at a time")
    assert.strictEqual(sizeOf(await own.newest(tenant)), 4)

    await restored.query("update attention set acknowledged_at = now(), acknowledged_by = 'operator' where organization_id = $1", [tenant.organizationId])
    await own.grow(tenant)
    await own.grow(tenant)
    await own.grow(stranger)
    await later(restored)
    await own.pass()
    const items = await itemsOf(tenant, restored)
    assert.isTrue(items.some((detail) => detail.includes("it refuses the proof from 12 entries") && detail.includes("grew anew")), items.join("\n"))
    assert.strictEqual(sizeOf(await own.newest(stranger)), 4)
  }, 60_000)
})

describe("A log that lies to one of two witnesses", () => {
  it("convinces nobody who demands both, whatever lines its operator puts together", async () => {
    const [one, other] = [await witness("a"), await witness("b")]
    const tenant = await newTenant()
    const honest = worker([one, other])
    await honest.grow(tenant)
    await later()
    await honest.pass()
    const agreed = await honest.newest(tenant)
    assert.strictEqual(sizeOf(agreed), 4)
    await honest.close()
    await client.end()
    const hidden = await throwawayDatabase({ copyOf: database })
    ends.push(hidden.drop)
    client = await database.client()

    // The operator, who has the key, keeps two books: each receives a receipt that the other does not have, and is shown to one witness.
    const [shownBook, hiddenBook] = [worker([one]), worker([other], hidden)]
    await shownBook.grow(tenant)
    await hiddenBook.grow(tenant)
    await later()
    await later(await hidden.client())
    await shownBook.pass()
    await hiddenBook.pass()
    const [shown, concealed] = [await shownBook.newest(tenant), await hiddenBook.newest(tenant)]
    const origin = shown?.split("\n")[0] ?? ""
    const keys = [one.place.key, other.place.key]
    assert.isTrue(convinces(shown, logKeys, origin, keys.slice(0, 1)))
    assert.isTrue(convinces(concealed, logKeys, origin, keys.slice(1)))
    assert.deepStrictEqual([sizeOf(shown), sizeOf(concealed)], [8, 8])

    const linesOf = (note: string | null): ReadonlyArray<string> => (note ?? "").split("\n").filter((line) => line.startsWith("— witness.")).map((line) => `${line}\n`)
    const everyLine = [agreed, shown, concealed].flatMap(linesOf)
    for (const note of [shown, concealed]) {
      assert.isFalse(convinces(note, logKeys, origin, keys))
      for (const line of everyLine) assert.isFalse(convinces((note ?? "") + line, logKeys, origin, keys))
      assert.isFalse(convinces((note ?? "") + everyLine.join(""), logKeys, origin, keys))
    }
    // Shown to both again, neither book is cosigned by both, and the operator of the service is told.
    const again = worker([one, other])
    await again.grow(tenant)
    await later()
    await again.pass()
    assert.isFalse(convinces(await again.newest(tenant), logKeys, origin, keys))
    const [item, ...more] = await itemsOf(tenant)
    assert.include(item, "witness.example/b")
    assert.include(item, "does not contain what it cosigned before")
    assert.lengthOf(more, 0)
  }, 60_000)
})
