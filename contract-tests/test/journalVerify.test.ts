import { layerDatabase, layerJournalAudit, makeSecrets, PgDatabase } from "@overa/adapter-postgres"
import { JournalAudit, type LogFindingKind, OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { byHand } from "../src/support/byHand.ts"
import { mintPlace, noAnswer, rejected, sampleAttempt, sampleLargeOperation, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { encryptionKeys, issued, registerOrganization, type SealingWorker, sealingWorker } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
let client: pg.Client
let worker: SealingWorker
let audit: ManagedRuntime.ManagedRuntime<JournalAudit, unknown>

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  worker = sealingWorker(database, "worker-one")
  audit = ManagedRuntime.make(layerJournalAudit(Result.getOrThrow(makeSecrets(encryptionKeys))).pipe(
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "audit" }))
  ))
})
afterAll(async () => {
  await worker.close()
  await audit.dispose()
  await database.drop()
})

const isBehind = `select exists (
  select from operations o join journal_log_positions p on p.organization_id = o.organization_id and p.environment = o.environment
  where o.status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING') and o.revision > 0 and (o.moved_by, o.operation_id) > (p.moved_by, p.operation_id)) as behind`

/**
 * Seals until the positions of the logs are after every document. A transaction of another database on the same server holds them back, and what is
 * after a position is not reported yet. Answers how many leaves were added.
 */
const sealed = async (): Promise<number> => {
  let added = await worker.seal()
  const behind = async () => (await client.query<{ readonly behind: boolean }>(isBehind)).rows[0]?.behind
  for (let tries = 0; tries < 200 && await behind() === true; tries += 1) {
    await setTimeout(50)
    added += await worker.seal()
  }
  return added
}

/** A tenant with five sealed receipts, and the verification of its log. */
const stage = async (count = 5) => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  const operations = await worker.run(Effect.forEach(Array.from({ length: count }), () => issued(place)))
  await sealed()
  const verify = async () => {
    const reports = await audit.runPromise(Effect.flatMap(Effect.service(JournalAudit), (it) => it.verify))
    const report = reports.find(({ organizationId }) => organizationId === place.organizationId) ?? assert.fail("no report")
    return { report, found: report.findings.map(({ documentId, kind }): readonly [string, string | null] => [kind, documentId]) }
  }
  return { place, operations, verify, id: (at: number) => operations[at]?.id ?? assert.fail("no document") }
}

const copyOf = `insert into operations select (jsonb_populate_record(o, $2::jsonb)).* from operations o where operation_id = $1`

type Query = PgDatabase["Service"]["query"]

/** A verification whose statements are sent by another function. */
const verifiedThrough = (through: (send: Query) => Query) => {
  const hooked = Layer.effect(
    PgDatabase,
    Effect.map(Effect.service(PgDatabase), (connected) => PgDatabase.of({ ...connected, query: through(connected.query) }))
  )
  return Effect.runPromise(Effect.flatMap(Effect.service(JournalAudit), (it) => it.verify).pipe(
    Effect.provide(layerJournalAudit(Result.getOrThrow(makeSecrets(encryptionKeys)))),
    Effect.provide(hooked),
    Effect.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "audit" }))
  ))
}

/** A verification that does the work once, before the first statement that contains the words. */
const verifiedWith = (words: string, work: () => Promise<unknown>) => {
  let isDone = false
  return verifiedThrough((send) => <Row extends object>(sql: string, parameters?: ReadonlyArray<unknown>) => {
    if (isDone || !sql.includes(words)) return send<Row>(sql, parameters)
    isDone = true
    return Effect.andThen(Effect.promise(work), send<Row>(sql, parameters))
  })
}

/** The reports of a verification, and the most bytes of contents that one of its statements answered. */
const verifiedMeasuring = async () => {
  let most = 0
  const reports = await verifiedThrough((send) => <Row extends object>(sql: string, parameters?: ReadonlyArray<unknown>) =>
    Effect.tap(send<Row>(sql, parameters), (rows) =>
      Effect.sync(() => {
        const bytes = rows.reduce((sum, row) => sum + ("content" in row && typeof row.content === "string" ? Buffer.byteLength(row.content) : 0), 0)
        most = Math.max(most, bytes)
      })))
  return { most, reports }
}

describe("`journal verify`", () => {
  it("finds nothing where receipts are issued and sealed while it reads", async () => {
    const { place, verify } = await stage()
    const reports = await verifiedWith("as entry_id", async () => {
      await worker.run(Effect.forEach(Array.from({ length: 3 }), () => issued(place)))
      await sealed()
    })
    const report = reports.find(({ organizationId }) => organizationId === place.organizationId)
    assert.deepStrictEqual([report?.findings, report?.leaves], [[], 20])
    assert.strictEqual((await verify()).report.leaves, 32)
  })

  it("finds nothing where nothing was touched: receipts, rejections, unknown outcomes, later attempts", async () => {
    const { place, verify } = await stage()
    await worker.run(Effect.gen(function*() {
      const store = yield* OperationStore
      const [refused, unknown, again] = [sampleOperation(place), sampleOperation(place), sampleOperation(place)]
      for (const operation of [refused, unknown, again]) yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(rejected(refused))
      yield* store.conclude(noAnswer(unknown))
      yield* store.conclude({ ...noAnswer(again), event: "notSent", attemptOutcome: "NOT_SENT", failureCode: "PFR_UNAVAILABLE", nextCheckAfterMillis: null })
      yield* Effect.promise(() => sealed())
      const attempt = sampleAttempt(again, { number: 2 })
      const transition = { from: "NOT_FISCALIZED", to: "SUBMITTING", at: attempt.startedAt, cause: "redriven", actor: "api:host-a", attempt: 2 } as const
      yield* store.redrive({ operation: { ...again, status: "SUBMITTING", attempt: 2 }, attempt, transition, leaseMillis: 50_000 })
      yield* store.conclude(signed(again, { attempt: 2 }))
      yield* store.conclude(signed(unknown))
      yield* Effect.promise(() => sealed())
    }))
    const { found, report } = await verify()
    assert.deepStrictEqual(found, [])
    assert.strictEqual(report.leaves, 5 * 4 + 4 + 5 + 6)
  })

  it.each([
    ["content", "content = replace(content, 'Ана', 'Ева')"],
    ["the request's body", "key_body = '{}', key_body_packed = null"],
    ["the premise", "premise_id = gen_random_uuid()"],
    ["the cashier", "cashier_id = 'other'"],
    ["the key", "key = 'another-key-of-mine'"],
    ["the total", "total_amount = total_amount + 1"],
    ["the answer", "answer_text = replace(answer_text, 'РАЧУН', 'РАЧУM')"],
    ["the number", "invoice_number = 'ABCD2345-ABCD2345-1'"],
    ["the signing time", "sdc_time = sdc_time + interval '1 millisecond'"],
    ["the printed time", "pfr_time = '2026-03-04T06:06:08.4551406+01:00'"],
    ["the signed total", "signed_total = 1"],
    ["the facts of the answer", "answer_facts = replace(answer_facts, 'a', 'b')"],
    ["the first attempt", "request_id = repeat('0', 32)"],
    ["an actor in the history", "history = replace(history, 'api:host-a', 'api:host-b')"],
    ["a time in the history", "history = replace(history, '1772600767089', '1772600767090')"],
    ["the history, shorter", "history = left(history, position(E'\\n' in history))"],
    ["the history, longer", "history = history || history"],
    ["the history, no longer readable", "history = 'nonsense'"],
    ["the environment", "environment = 'production'"],
    ["the time it came", "created_at = created_at - interval '1 day'"]
  ])("a row changed by hand is found and named: %s", async (_what, change) => {
    const { id, verify } = await stage()
    await byHand(client, "operations", `update operations set ${change} where operation_id = $1`, [id(2)])
    const { found } = await verify()
    assert.isNotEmpty(found)
    assert.deepStrictEqual([...new Set(found.map(([, document]) => document))], [id(2)])
    assert.include(found.map(([kind]) => kind), "ROW_CHANGED")
  })

  it("a row removed by hand is found and named", async () => {
    const { id, verify } = await stage()
    await byHand(client, "operations", "delete from operations where operation_id = $1", [id(1)])
    assert.deepStrictEqual((await verify()).found, [["ROW_REMOVED", id(1)]])
  })

  it.each([["", {}], [", as an earlier release marked what it had sealed", { moved_by: null, sealed: 4 }]])(
    "a row inserted by hand that says it moved long ago is found and named%s",
    async (_what, claims) => {
      const { id, verify } = await stage()
      const forged = mintPlace().taxpayerId
      const columns = { operation_id: forged, key: "forged-key-0123456", invoice_number: "F-F-1", ...claims }
      await client.query(copyOf, [id(0), JSON.stringify(columns)])
      assert.deepStrictEqual((await verify()).found, [["ROW_INSERTED", forged as string]])
      await sealed()
      assert.deepStrictEqual((await verify()).found, [["ROW_INSERTED", forged as string]])
    }
  )

  it("a row inserted by hand that claims leaves behind the end of the log is found and named", async () => {
    const { id, place, verify } = await stage()
    const forged = mintPlace().taxpayerId
    await client.query(copyOf, [id(0), JSON.stringify({ operation_id: forged, key: "forged-key-0123458", invoice_number: "F-F-3" })])
    await byHand(client, "journal_log_entries", "insert into journal_log_entries values ($1, $2, 1, 'sandbox', 20, 4)", [place.organizationId, forged])
    assert.deepStrictEqual((await verify()).found, [["ROW_INSERTED", forged as string]])
  })

  it("a row that cannot be read and is not in the log is named", async () => {
    const { place, verify } = await stage()
    const damaged = await worker.run(issued(place))
    await byHand(client, "operations", "update operations set history = 'nonsense' where operation_id = $1", [damaged.id])
    await sealed()
    assert.deepStrictEqual((await verify()).found, [["NOT_SEALED", damaged.id]])
  })

  it("a transition added by hand to a document that was sealed is found and named", async () => {
    const { id, verify } = await stage()
    const line = '["FISCALIZED",1772600769000,"found","worker:host-a",1]'
    await byHand(client, "operations", "update operations set revision = revision + 1, history = history || $2 || E'\\n' where operation_id = $1", [id(3), line])
    assert.deepStrictEqual((await verify()).found, [["ROW_CHANGED", id(3)]])
  })

  it("a row inserted by hand with an earlier time is found and named, before and after it was sealed", async () => {
    const { id, place, verify } = await stage()
    // Yesterday's checkpoints, which should contain a document of the day before.
    await byHand(client, "journal_checkpoints", "update journal_checkpoints set signed_at = timestamptz '2026-03-04 06:20:00Z' where organization_id = $1", [place.organizationId])
    const forged = mintPlace().taxpayerId
    await client.query(copyOf, [id(0), JSON.stringify({ operation_id: forged, key: "forged-key-0123457", invoice_number: "F-F-2" })])
    await byHand(client, "operations", "update operations set updated_at = now() - interval '1 hour', moved_by = pg_current_xact_id() where operation_id = $1", [forged])
    assert.deepStrictEqual((await verify()).found, [["NOT_SEALED", forged as string]])
    await worker.run(Effect.forEach(Array.from({ length: 2 }), () => issued(place)))
    await sealed()
    assert.deepStrictEqual(kindsOf((await verify()).found, forged), ["ROW_INSERTED"])
  })

  it("finds nothing where the database's clock was a year ahead for a time", async () => {
    const { place, verify } = await stage()
    await byHand(client, "journal_checkpoints", "update journal_checkpoints set signed_at = now() + interval '1 year' where organization_id = $1", [place.organizationId])
    await client.query("update journal_log_positions set swept_at = now() + interval '1 year' where organization_id = $1", [place.organizationId])
    await worker.run(Effect.forEach(Array.from({ length: 2 }), () => issued(place)))
    assert.strictEqual(await sealed(), 8)
    assert.deepStrictEqual((await verify()).found, [])
  })

  it.each<[string, string, LogFindingKind]>([
    ["a hash of the tree", "update journal_log_tiles set hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) where organization_id = $1 and level = 0", "TREE_CHANGED"],
    ["a tile", "delete from journal_log_tiles where organization_id = $1 and level = 0", "TREE_CHANGED"],
    ["a hash above", "update journal_log_tiles set hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) where organization_id = $1 and level = 1", "TREE_CHANGED"],
    ["a signature", "update journal_checkpoints set note = overlay(note placing 'AAAA' from length(note) - 20 for 4) where organization_id = $1", "CHECKPOINT_CHANGED"],
    ["a checkpoint's text", "update journal_checkpoints set note = replace(note, E'\\n280\\n', E'\\n279\\n') where organization_id = $1", "CHECKPOINT_CHANGED"],
    ["a checkpoint's place", "update journal_checkpoints set size = size - 1 where organization_id = $1", "CHECKPOINT_CHANGED"],
    ["an entry", "delete from journal_log_entries where organization_id = $1 and first_index = 8", "ENTRY_MISSING"],
    ["the last entry", "delete from journal_log_entries where organization_id = $1 and first_index = 276", "ENTRY_MISSING"]
  ])("the log itself changed by hand is found: %s", async (_what, sql, kind) => {
    const { place, verify } = await stage(70)
    const table = /(journal_\w+)/.exec(sql)?.[1] ?? ""
    await byHand(client, table, sql, [place.organizationId])
    assert.include((await verify()).report.findings.map((finding) => finding.kind), kind)
  })

  it("a log shortened by hand together with its documents is found by the checkpoints that were signed of it", async () => {
    const { id, place, verify } = await stage()
    await byHand(client, "operations", "delete from operations where operation_id = $1", [id(4)])
    await byHand(client, "journal_log_entries", "delete from journal_log_entries where operation_id = $1", [id(4)])
    await byHand(client, "journal_logs", "update journal_logs set size = size - 4 where organization_id = $1", [place.organizationId])
    assert.deepStrictEqual((await verify()).found, [["CHECKPOINT_CHANGED", null]])
  })

  it("documents of a tenant that no worker has sealed are told, once they have waited for ten minutes", async () => {
    const place = mintPlace()
    await registerOrganization(client, place.organizationId)
    const operation = await worker.run(issued(place))
    const reports = await audit.runPromise(Effect.flatMap(Effect.service(JournalAudit), (it) => it.verify))
    const report = reports.find(({ organizationId }) => organizationId === place.organizationId)
    // The samples have a time long ago.
    assert.deepStrictEqual(report?.findings.map(({ documentId, kind }) => [kind, documentId]), [["NOT_SEALED", operation.id]])
  })

  it("reads some megabytes at once, however large the receipts are, before they are sealed and after", async () => {
    const place = mintPlace()
    await registerOrganization(client, place.organizationId)
    await worker.run(Effect.forEach(Array.from({ length: 20 }), () => issued(place, undefined, sampleLargeOperation(place))))
    const unsealed = await verifiedMeasuring()
    await sealed()
    const { most, reports } = await verifiedMeasuring()
    const report = reports.find(({ organizationId }) => organizationId === place.organizationId)
    assert.deepStrictEqual([report?.findings, report?.leaves], [[], 80])
    for (const bytes of [unsealed.most, most]) assert.isTrue(bytes > 1_200_000 && bytes < 13_000_000, `${bytes} bytes`)
  })
})

const kindsOf = (found: ReadonlyArray<ReadonlyArray<string | null>>, id: string): ReadonlyArray<string | null | undefined> =>
  [...new Set(found.filter(([, document]) => document === id).map(([kind]) => kind))]
