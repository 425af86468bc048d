import { OperationStore } from "@overa/domain"
import { Effect } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { isConsistent, issued, placeOf, registerOrganization, type SealingWorker, sealingWorker, verifiedCheckpoint } from "../src/support/sealingStage.ts"
import { FaultyLine } from "../src/support/FaultyLine.ts"
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
  workers[0].run(Effect.forEach(Array.from({ length: count }), () => issued(place), { concurrency: 16 }))

const store = <A>(use: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) => workers[0].run(Effect.flatMap(Effect.service(OperationStore), use))

const one = async <Row extends pg.QueryResultRow>(sql: string, parameters: ReadonlyArray<unknown>): Promise<Row> => {
  const { rows } = await client.query<Row>(sql, [...parameters])
  return rows[0] ?? assert.fail("no row")
}

const waitFor = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail("it never came to be")
}

/** A copy of a stored document under another id, as a second host would commit it. */
const copyOf = `insert into operations select (jsonb_populate_record(o, jsonb_build_object(
    'operation_id', $2::text, 'key', $3::text, 'invoice_number', $4::text, 'moved_by', pg_current_xact_id()::text))).*
  from operations o where operation_id = $1`

describe("The log's order is the order in which commits were seen", () => {
  it("a commit that began before a checkpoint and ends after it gets a place behind it", async () => {
    const tenant = await newTenant()
    const [first] = await issue(tenant, 5)
    const slow = await database.client()
    const late = mintPlace().taxpayerId
    await slow.query("begin")
    // It has the times of the first document, which are before everything else.
    await slow.query(copyOf, [first?.id, late, "late-key-0123456789", "LATE-LATE-1"])
    await issue(tenant, 5)
    await workers[0].seal()
    const before = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(before.size, 40)
    await slow.query("commit")
    assert.strictEqual((await verifiedCheckpoint(workers[0], tenant)).size, 40)
    await workers[1].seal()
    const after = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(after.size, 44)
    assert.isTrue(await isConsistent(workers[0], tenant, before, after))
    const place = await placeOf(workers[0], tenant, { id: late as never })
    assert.deepStrictEqual(place?.entries.map(({ index }) => index), [40, 41, 42, 43])
  })

  it("a document in flight is not touched: its outcome never waits for the sealer", async () => {
    const tenant = await newTenant()
    const [operation] = await issue(tenant, 3)
    const slow = await database.client()
    await slow.query("begin")
    await slow.query(copyOf, [operation?.id, mintPlace().taxpayerId, "held-key-0123456789", "HELD-HELD-1"])
    assert.strictEqual(await workers[0].seal(), 12)
    await slow.query("rollback")
    assert.strictEqual((await verifiedCheckpoint(workers[0], tenant)).size, 12)
    const flying = sampleOperation(tenant)
    await store((it) => it.reserve(sampleReservation(flying)))
    await slow.query("begin")
    await slow.query("select from operations where operation_id = $1 for update", [flying.id])
    assert.strictEqual(await workers[0].seal(), 0)
    await slow.query("rollback")
  })

  it("a document that moves on while it is being sealed is sealed by the next pass, with every transition", async () => {
    const tenant = await newTenant()
    const unknown = sampleOperation(tenant)
    await store((it) => Effect.andThen(it.reserve(sampleReservation(unknown)), it.conclude(noAnswer(unknown))))
    const holder = await database.client()
    await holder.query("begin; lock table journal_log_entries in share row exclusive mode")
    const sealing = workers[1].seal()
    await untilLocked(client, "worker-two")
    // It has read the document, but does not block its changes.
    await client.query(
      `update operations set status = 'RECONCILING', revision = revision + 1, lease_until = now() + interval '1 minute',
         history = history || '["RECONCILING",1772600769000,"searchStarted","worker:host-a",1]' || E'\\n' where operation_id = $1`,
      [unknown.id]
    )
    await holder.query("rollback")
    assert.strictEqual(await sealing, 4)
    assert.strictEqual(await workers[0].seal(), 0)
    await store((it) => it.conclude(signed(unknown)))
    assert.strictEqual(await workers[0].seal(), 2)
    const place = await placeOf(workers[0], tenant, unknown)
    assert.deepStrictEqual(place?.entries.map(({ leaf }) => (JSON.parse(leaf) as { readonly to: string }).to), [
      "RECEIVED", "VALIDATED", "SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING", "FISCALIZED"
    ])
  })
})

describe("Several workers", () => {
  it("seal while receipts are issued: every transition once, no gap, no fork", async () => {
    const tenant = await newTenant()
    const stop = new AbortController()
    const checkpoints = [await verifiedCheckpoint(workers[0], tenant)]
    const sealing = workers.map(async (worker) => {
      while (!stop.signal.aborted) {
        await worker.seal()
        checkpoints.push(await verifiedCheckpoint(worker, tenant))
      }
    })
    for (let round = 0; round < 6; round += 1) await issue(tenant, 60)
    stop.abort()
    await Promise.all(sealing)
    await workers[0].seal()
    const last = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(last.size, 360 * 4)
    const { rows } = await client.query<{ readonly first: number; readonly end: number }>(
      `select first_index::int as first, (first_index + leaves)::int as end from journal_log_entries where organization_id = $1 order by first_index`,
      [tenant.organizationId]
    )
    rows.reduce((expected, { end, first }) => (assert.strictEqual(first, expected), end), 0)
    assert.strictEqual(rows.at(-1)?.end, last.size)
    for (const checkpoint of checkpoints) assert.isTrue(await isConsistent(workers[0], tenant, checkpoint, last))
  }, 60_000)

  it.each(["journal_log_entries", "journal_log_tiles", "journal_logs", "journal_checkpoints", "counter_spans", "journal_horizons", "journal_pending", "journal_log_positions"])(
    "one that dies before it writes %s leaves nothing behind, and the next one seals all of it",
    async (table) => {
      const tenant = await newTenant()
      await issue(tenant, 3)
      const unknown = sampleOperation(tenant)
      await store((it) => Effect.andThen(it.reserve(sampleReservation(unknown)), it.conclude(noAnswer(unknown))))
      await workers[0].seal()
      const before = await verifiedCheckpoint(workers[0], tenant)
      await store((it) => it.conclude(signed(unknown)))
      for (const counter of [1, 2, 3]) await workers[0].run(issued(tenant, `ABCD2345-ABCD2345-${counter}`))
      const holder = await database.client()
      await holder.query(`begin; lock table ${table} in share row exclusive mode`)
      const dying = workers[1].seal().then(() => "sealed", () => "died")
      await untilLocked(client, "worker-two")
      await client.query(`select pg_terminate_backend(pid) from (${lockedSessions("worker-two")}) as waiting`)
      assert.strictEqual(await dying, "died")
      await holder.query("rollback")
      const { sealed } = await one<{ sealed: number }>("select sum(leaves)::int as sealed from journal_log_entries where organization_id = $1", [tenant.organizationId])
      assert.strictEqual(sealed, 16)
      assert.deepStrictEqual(await verifiedCheckpoint(workers[0], tenant), before)
      assert.strictEqual(await workers[0].seal(), 13)
      const after = await verifiedCheckpoint(workers[0], tenant)
      assert.strictEqual(after.size, 29)
      assert.isTrue(await isConsistent(workers[0], tenant, before, after))
    }
  )
})

describe("A worker that does not hear the answer to its commit", () => {
  it("seals nothing twice: the next pass goes on behind what was committed", async () => {
    const tenant = await newTenant()
    await issue(tenant, 3)
    const address = new URL(database.url)
    const line = await FaultyLine.open(Number(address.port))
    address.hostname = "127.0.0.1"
    address.port = String(line.port)
    const deaf = sealingWorker({ ...database, url: address.href }, "worker-three")
    // The commit waits for a lock, so that its answer is certainly lost.
    await client.query(`create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4711); return null; end $$`)
    await client.query(`create constraint trigger waits after insert on journal_checkpoints deferrable initially deferred for each row execute function wait_for_test()`)
    const holder = await database.client()
    await holder.query("select pg_advisory_lock(4711)")
    const dying = deaf.seal().then(() => "heard", () => "did not hear")
    await waitFor(async () => (await client.query("select from pg_stat_activity where application_name = 'worker-three' and wait_event = 'advisory'")).rowCount === 1)
    line.deaf = true
    await holder.query("select pg_advisory_unlock(4711)")
    await waitFor(async () => (await verifiedCheckpoint(workers[0], tenant)).size === 12)
    line.cut()
    line.deaf = false
    assert.strictEqual(await dying, "did not hear")
    await client.query("drop trigger waits on journal_checkpoints")
    const before = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(await deaf.seal(), 0)
    await issue(tenant, 1)
    assert.strictEqual(await workers[0].seal(), 4)
    const after = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(after.size, 16)
    assert.isTrue(await isConsistent(workers[0], tenant, before, after))
    await deaf.close()
    await line.close()
  })
})

describe("A database that was copied to another server", () => {
  it.each([
    ["whose transactions have smaller numbers", "moved_by = '9000000000000'::xid8"],
    ["that counts transactions for itself", "cluster = 'another'"],
    ["and was not looked through for a day", "swept_at = now() - interval '25 hours'"],
    ["whose clock was a year ahead when everything was last looked at", "swept_at = now() + interval '1 year'"]
  ])("%s: everything is looked at again, nothing is sealed twice and nothing left out", async (_what, change) => {
    const tenant = await newTenant()
    const [sealed] = await issue(tenant, 3)
    await workers[0].seal()
    const before = await verifiedCheckpoint(workers[0], tenant)
    const late = mintPlace().taxpayerId
    await client.query(copyOf, [sealed?.id, late, "late-key-0123456789", `LATE-LATE-${late}`])
    await client.query("update operations set moved_by = '8000000000000'::xid8 where organization_id = $1", [tenant.organizationId])
    await client.query(`update journal_log_positions set ${change} where organization_id = $1`, [tenant.organizationId])
    await issue(tenant, 2)
    assert.strictEqual(await workers[1].seal(), 12)
    const after = await verifiedCheckpoint(workers[0], tenant)
    assert.strictEqual(after.size, 24)
    assert.isTrue(await isConsistent(workers[0], tenant, before, after))
    await issue(tenant, 1)
    assert.strictEqual(await workers[0].seal(), 4)
    assert.strictEqual(await workers[0].seal(), 0)
  })
})

describe("A release that does not say which transaction moved a document", () => {
  it("is helped by the database: what its hosts move is sealed", async () => {
    const tenant = await newTenant()
    const operation = sampleOperation(tenant)
    await store((it) => it.reserve(sampleReservation(operation)))
    await issue(tenant, 1)
    assert.strictEqual(await workers[0].seal(), 4)
    await client.query(
      `update operations set status = 'OUTCOME_UNKNOWN', failure_code = 'OUTCOME_UNKNOWN', lease_until = null, revision = revision + 1,
         history = history || '["OUTCOME_UNKNOWN",1772600769000,"noAnswer","api:host-a",1]' || E'\\n' where operation_id = $1`,
      [operation.id]
    )
    assert.strictEqual(await workers[0].seal(), 4)
  })
})

describe("What was sealed", () => {
  it("is not rewritten, and a second tree of one size is refused", async () => {
    const tenant = await newTenant()
    await issue(tenant, 2)
    await workers[0].seal()
    const own = `where organization_id = '${tenant.organizationId}'`
    const refusal = async (sql: string): Promise<string> => {
      try {
        await client.query(sql)
      } catch (cause) {
        return String((cause as { readonly constraint?: string }).constraint)
      }
      return "accepted"
    }
    const tries: ReadonlyArray<readonly [string, string]> = [
      ["journal_checkpoints_pk", `insert into journal_checkpoints select organization_id, environment, size, 'another tree', now() from journal_checkpoints ${own}`],
      ["journal_log_entries_index_unique", `insert into journal_log_entries select organization_id, gen_random_uuid(), 1, environment, first_index, leaves from journal_log_entries ${own} limit 1`],
      ["journal_log_entries_append_only", `delete from journal_log_entries ${own}`],
      ["journal_log_entries_append_only", `update journal_log_entries set first_index = first_index + 1 ${own}`],
      ["journal_checkpoints_append_only", `update journal_checkpoints set note = '' ${own}`],
      ["journal_logs_only_grow", `update journal_logs set size = size - 1 ${own}`],
      ["journal_logs_only_grow", `update journal_logs set size = size ${own}`],
      ["journal_logs_kept", `delete from journal_logs ${own}`],
      ["journal_log_tiles_only_grow", `update journal_log_tiles set hashes = '\\x${"00".repeat(256)}' ${own}`],
      ["journal_log_tiles_only_grow", `update journal_log_tiles set hashes = substring(hashes for 32) ${own}`],
      ["journal_log_tiles_whole_hashes", `update journal_log_tiles set hashes = hashes || '\\x00' ${own}`],
      ["journal_log_tiles_kept", `delete from journal_log_tiles ${own}`]
    ]
    for (const [constraint, sql] of tries) assert.strictEqual(await refusal(sql), constraint, sql)
    await refusal("select 1")
  })

  it("keeps a damaged row out of everybody's way: the others are sealed", async () => {
    const tenant = await newTenant()
    const [damaged] = await issue(tenant, 3)
    await client.query("alter table operations disable trigger operations_history_kept")
    await client.query("update operations set history = 'nonsense' where operation_id = $1", [damaged?.id])
    await client.query("alter table operations enable trigger operations_history_kept")
    assert.strictEqual(await workers[0].seal(), 8)
    assert.strictEqual(await workers[0].seal(), 0)
  })

  it("keeps a damaged log out of everybody's way: the others are sealed, and the pass fails", async () => {
    const tenants = [await newTenant(), await newTenant(), await newTenant()] as const
    const issueAll = () => Promise.all(tenants.map((tenant) => issue(tenant, 1)))
    const leavesOf = async (tenant: (typeof tenants)[number]): Promise<string> =>
      (await client.query("select coalesce(sum(leaves), 0)::text as leaves from journal_log_entries where organization_id = $1", [tenant.organizationId])).rows[0].leaves
    await issueAll()
    assert.strictEqual(await workers[0].seal(), 12)
    await client.query("alter table journal_log_tiles disable trigger user")
    await client.query("delete from journal_log_tiles where organization_id = $1", [tenants[1].organizationId])
    await client.query("alter table journal_log_tiles enable trigger user")
    await issueAll()
    assert.include(await workers[0].seal().then(String, String), "too few for subtree")
    assert.deepStrictEqual(await Promise.all(tenants.map(leavesOf)), ["8", "4", "8"])
  })
})
