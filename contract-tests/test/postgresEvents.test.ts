import { type ChangeEvent, EventFeed, OperationStore, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { byHand } from "../src/support/byHand.ts"
import { mintPlace, noAnswer, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { issued, registerOrganization, type SealingWorker, sealingWorker } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { lockedSessions, untilLocked } from "../src/support/untilLocked.ts"

let database: ThrowawayDatabase
let client: pg.Client
let workers: readonly [SealingWorker, SealingWorker]

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  workers = [sealingWorker(database, "worker-one"), sealingWorker(database, "worker-two")]
})
afterAll(async () => {
  for (const worker of workers) await worker.close()
  await database.drop()
})

const newTenant = async () => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  return place
}

const issue = (place: ReturnType<typeof mintPlace>, count: number) =>
  workers[0].run(Effect.forEach(Array.from({ length: count }), () => issued(place), { concurrency: 8 }))

const eventsOf = async (tenant: Tenant): Promise<ReadonlyArray<ChangeEvent>> =>
  (await workers[0].run(Effect.flatMap(Effect.service(EventFeed), (feed) => feed.page(tenant, { after: 0, limit: 2_000 })))).items

/** One event for each of these receipts and no other, numbered from 1. */
const assertWhole = (events: ReadonlyArray<ChangeEvent>, receipts: ReadonlyArray<{ readonly id: string }>): void => {
  assert.deepStrictEqual(events.map(({ sequence }) => sequence), events.map((_, index) => index + 1))
  assert.deepStrictEqual(events.map(({ fiscalDocumentId }) => String(fiscalDocumentId)).toSorted(), receipts.map(({ id }) => id).toSorted())
  for (const { type } of events) assert.strictEqual(type, "document.fiscalized")
}

describe("Events of documents in PostgreSQL", () => {
  it("a commit that ends late gets the next number: no event comes before one that was read", async () => {
    const tenant = await newTenant()
    const unknown = sampleOperation(tenant)
    await workers[0].run(Effect.flatMap(Effect.service(OperationStore), (it) => Effect.andThen(it.reserve(sampleReservation(unknown)), it.conclude(noAnswer(unknown)))))
    await workers[0].seal()
    const slow = await database.client()
    await slow.query("begin")
    // The outcome as a host stores it. The number of this transaction is lower than those of the sales that follow.
    await slow.query(
      `update operations set status = 'FISCALIZED', revision = revision + 1, history = history || '["FISCALIZED",1772600769000,"signed","api:host-a",1]' || E'\\n',
         answer_text = '{}', answer_facts = '{}', failure_code = null, next_check_at = null, invoice_number = 'LATE-1' where operation_id = $1`,
      [unknown.id]
    )
    const receipts = await issue(tenant, 3)
    await workers[0].seal()
    const read = await eventsOf(tenant)
    assert.lengthOf(read, 4)
    await slow.query("commit")
    await slow.end()
    await workers[0].seal()
    const all = await eventsOf(tenant)
    assert.deepStrictEqual(all.slice(0, 4), read)
    assert.deepStrictEqual(all.slice(4).map(({ fiscalDocumentId, sequence, type }) => [fiscalDocumentId, sequence, type]), [[unknown.id, 5, "document.found"]])
    assert.lengthOf(receipts, 3)
  })

  it("two workers that seal while receipts are issued give each receipt one number, and never change one", async () => {
    const tenant = await newTenant()
    const stop = new AbortController()
    const reads: Array<ReadonlyArray<ChangeEvent>> = []
    const sealing = workers.map(async (worker) => {
      while (!stop.signal.aborted) {
        await worker.seal()
        reads.push(await eventsOf(tenant))
      }
    })
    const receipts = []
    for (let round = 0; round < 4; round += 1) receipts.push(...await issue(tenant, 40))
    stop.abort()
    await Promise.all(sealing)
    await workers[1].seal()
    const all = await eventsOf(tenant)
    assertWhole(all, receipts)
    for (const read of reads) assert.deepStrictEqual(all.slice(0, read.length), read)
  }, 60_000)

  it.each(["event_heads", "events"])("a worker that dies before it writes %s leaves nothing behind, and the next one numbers all of it", async (table) => {
    const tenant = await newTenant()
    const receipts = [...await issue(tenant, 3)]
    await workers[0].seal()
    receipts.push(...await issue(tenant, 2))
    const holder = await database.client()
    await holder.query(`begin; lock table ${table} in share row exclusive mode`)
    const dying = workers[1].seal().then(() => "sealed", () => "died")
    await untilLocked(client, "worker-two")
    await client.query(`select pg_terminate_backend(pid) from (${lockedSessions("worker-two")}) as waiting`)
    assert.strictEqual(await dying, "died")
    await holder.query("rollback")
    await holder.end()
    assert.lengthOf(await eventsOf(tenant), 3)
    // Its transitions are in the log already: only their events are missing.
    assert.strictEqual(await workers[0].seal(), 0)
    assertWhole(await eventsOf(tenant), receipts)
  })

  it("a log that a release without events has sealed is numbered from its first leaf", async () => {
    const tenant = await newTenant()
    const receipts = [...await issue(tenant, 1_200)]
    await workers[0].seal()
    await byHand(client, "events", "delete from events where organization_id = $1", [tenant.organizationId])
    await byHand(client, "event_heads", "delete from event_heads where organization_id = $1", [tenant.organizationId])
    receipts.push(...await issue(tenant, 1))
    await workers[0].seal()
    const all = await eventsOf(tenant)
    assertWhole(all, receipts)
  }, 60_000)

  it("after a restore to an earlier point, a change has the id that it had, and what came instead of another change has another id", async () => {
    const tenant = await newTenant()
    const operation = sampleOperation(tenant)
    const kept = await issue(tenant, 1)
    await workers[0].seal()
    await workers[0].run(Effect.flatMap(Effect.service(OperationStore), (it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude(noAnswer(operation)))))
    await workers[0].seal()
    const [first, second] = await eventsOf(tenant)
    // What a restore leaves: the document and the log of that moment. Here the whole log is made again.
    await byHand(client, "operations", "delete from operations where organization_id = $1 and operation_id = $2", [tenant.organizationId, operation.id])
    for (const table of ["journal_log_entries", "journal_log_tiles", "journal_checkpoints", "journal_log_positions", "journal_logs", "events", "event_heads"]) {
      await byHand(client, table, `delete from ${table} where organization_id = $1`, [tenant.organizationId])
    }
    await workers[0].run(issued(tenant, undefined, operation))
    await workers[0].seal()
    const restored = await eventsOf(tenant)
    assertWhole(restored, [...kept, operation])
    assert.isTrue(restored.some(({ id }) => id === first?.id))
    assert.isFalse(restored.some(({ id }) => id === second?.id))
  })

  it("a document whose history was damaged after it was sealed keeps nobody's events back", async () => {
    const tenant = await newTenant()
    const receipts = await issue(tenant, 3)
    const holder = await database.client()
    await holder.query("begin; lock table events in share row exclusive mode")
    const dying = workers[1].seal().then(() => "sealed", () => "died")
    await untilLocked(client, "worker-two")
    await client.query(`select pg_terminate_backend(pid) from (${lockedSessions("worker-two")}) as waiting`)
    assert.strictEqual(await dying, "died")
    await holder.query("rollback")
    await holder.end()
    await byHand(client, "operations", "update operations set history = 'nonsense' where operation_id = $1", [receipts[1]?.id])
    await workers[0].seal()
    assertWhole(await eventsOf(tenant), receipts.filter((_, index) => index !== 1))
  })

  it("refuses whatever would change, remove or renumber an event", async () => {
    const tenant = await newTenant()
    await issue(tenant, 2)
    await workers[0].seal()
    const own = `where organization_id = '${tenant.organizationId}'`
    const refusal = (sql: string): Promise<string> =>
      client.query(sql).then(() => "accepted", (cause: { readonly constraint?: string }) => String(cause.constraint))
    const tries: ReadonlyArray<readonly [string, string]> = [
      ["events_pk", `insert into events select * from events ${own} limit 1`],
      ["events_append_only", `delete from events ${own}`],
      ["events_append_only", `update events set type = 'document.found' ${own}`],
      ["events_append_only", "truncate events"],
      ["event_heads_only_grow", `update event_heads set leaves = leaves - 4 ${own}`],
      ["event_heads_only_grow", `update event_heads set leaves = leaves + 4, sequence = sequence - 1 ${own}`],
      ["event_heads_kept", `delete from event_heads ${own}`]
    ]
    for (const [constraint, sql] of tries) assert.strictEqual(await refusal(sql), constraint, sql)
  })
})
