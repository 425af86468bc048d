import { layerDatabase, layerJournalSealer, layerJournalStore, layerJournalUpkeep, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { anyTime, type FiscalDocumentId, JournalSealer, JournalStore, JournalUpkeep, type Operation, OperationStore } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, notSent, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

type Services = JournalSealer | JournalStore | JournalUpkeep | OperationStore

let database: ThrowawayDatabase
let client: pg.Client
let runtime: ManagedRuntime.ManagedRuntime<Services, unknown>

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  runtime = ManagedRuntime.make(
    Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerJournalSealer(Result.getOrThrow(makeSecrets(encryptionKeys)))).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "found-since" }))
    )
  )
})
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

const stage = async () => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  const count = async (table: string, condition = "true"): Promise<number> =>
    (await client.query(`select count(*)::int as count from ${table} where organization_id = $1 and ${condition}`, [place.organizationId])).rows[0].count
  return {
    place,
    notFiscalized: async (changes: Partial<Operation> = {}): Promise<Operation> => {
      const operation = sampleOperation(place, changes)
      await store((it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude(notSent(operation))))
      return operation
    },
    receipts: async () => {
      const everything = { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy: [] }
      const [row] = await runtime.runPromise(Effect.flatMap(JournalStore, (journal) => journal.turnover(place, everything)))
      return row?.receipts ?? 0
    },
    pending: () => count("journal_pending"),
    searchable: () => count("journal_entries", "search_text <> ''"),
    counted: () => count("turnover_parts", "counts_receipt"),
    hold: (id: FiscalDocumentId) => client.query("insert into journal_pending (organization_id, environment, operation_id) values ($1, $2, $3)", [place.organizationId, place.environment, id])
  }
}

const store = <A>(use: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) => runtime.runPromise(Effect.flatMap(OperationStore, use))
const advance = (limit = 1_000) => runtime.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit })))
const seal = () => runtime.runPromise(Effect.flatMap(JournalSealer, (sealer) => sealer.seal({ limit: 1_000 })))

describe("A receipt that is found after its document was not fiscalized is counted once at every moment", () => {
  it("when the organization's horizon is open and nothing of it is summed yet", async () => {
    const { notFiscalized, place, receipts } = await stage()
    const found = await notFiscalized()
    await client.query("insert into journal_horizons (organization_id, environment, taken_to) values ($1, $2, '-infinity')", [place.organizationId, place.environment])
    assert.strictEqual(await receipts(), 0)
    await store((it) => it.conclude(signed(found)))
    assert.strictEqual(await receipts(), 1)
  })

  it("when the document was added to the journal's tables before anything of it was sealed", async () => {
    const { counted, notFiscalized, pending, receipts, searchable } = await stage()
    const found = await notFiscalized()
    await advance()
    assert.deepStrictEqual([await searchable(), await pending(), await receipts()], [1, 0, 0])
    await store((it) => it.conclude(signed(found)))
    assert.strictEqual(await receipts(), 1)
    await seal()
    assert.deepStrictEqual([await pending(), await receipts()], [1, 1])
    await advance()
    assert.deepStrictEqual([await searchable(), await pending(), await counted(), await receipts()], [1, 0, 1, 1])
  })

  it("when a log was begun behind it and has not yet been compared with all documents", async () => {
    const { notFiscalized, pending, place, receipts } = await stage()
    const found = await notFiscalized()
    await advance()
    await store((it) => it.conclude(signed(found)))
    const begun = `insert into journal_log_positions (organization_id, environment, moved_by, operation_id, cluster, swept_to)
      select $1, $2, pg_current_xact_id(), '00000000-0000-0000-0000-000000000000', system_identifier::text, '00000000-0000-0000-0000-000000000000' from pg_control_system()`
    await client.query(begun, [place.organizationId, place.environment])
    assert.strictEqual(await receipts(), 1)
    await seal()
    await advance()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 1])
  })

  it("when its database was copied from a server whose transactions have greater numbers", async () => {
    const { notFiscalized, pending, place, receipts } = await stage()
    await notFiscalized()
    await seal()
    const found = await notFiscalized()
    await advance()
    await store((it) => it.conclude(signed(found)))
    await client.query("update operations set moved_by = '8000000000000'::xid8 where organization_id = $1", [place.organizationId])
    await client.query("update journal_log_positions set moved_by = '9000000000000'::xid8 where organization_id = $1", [place.organizationId])
    assert.strictEqual(await receipts(), 1)
    await seal()
    assert.deepStrictEqual([await pending(), await receipts()], [1, 1])
    await advance()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 1])
  })

  it.each([
    ["adds the document to the journal's tables", "journal_entries", false],
    ["removes the document from those it waits for", "journal_pending", true]
  ])("when it is found and sealed while another worker %s", async (_what, table, isHeld) => {
    const { counted, hold, notFiscalized, pending, receipts } = await stage()
    await notFiscalized()
    await advance()
    const found = await notFiscalized({ createdAt: DateTime.nowUnsafe() })
    if (isHeld) {
      await advance()
      await hold(found.id)
    }
    const holder = await database.client()
    await holder.query(`begin; lock table ${table} in share row exclusive mode`)
    const advancing = advance()
    await untilLocked(client, "found-since")
    await store((it) => it.conclude(signed(found)))
    const sealing = seal()
    // The sealer waits for the other worker, or has already ended.
    await Promise.race([sealing, untilLocked(client, "found-since", 2)])
    await holder.query("rollback")
    await Promise.all([advancing, sealing])
    assert.strictEqual(await receipts(), 1)
    await advance()
    assert.deepStrictEqual([await pending(), await counted(), await receipts()], [0, 1, 1])
  })

  it("when the worker ended between two batches", async () => {
    const { counted, notFiscalized, receipts } = await stage()
    const content = { ...sampleContent(), metadata: { notes: "x".repeat(1_200_000) } }
    for (let number = 0; number < 7; number += 1) {
      const createdAt = DateTime.subtract(DateTime.nowUnsafe(), { seconds: 100 - number })
      const receipt = await notFiscalized({ createdAt, content })
      await store((it) => it.conclude(signed(receipt)))
    }
    await advance(1)
    const summed = await counted()
    assert.deepStrictEqual([summed > 0 && summed < 7, await receipts()], [true, 7])
    await advance()
    assert.deepStrictEqual([await counted(), await receipts()], [7, 7])
  })

  it("when two workers do everything at once", async () => {
    const { counted, notFiscalized, pending, receipts } = await stage()
    const documents = await Promise.all(Array.from({ length: 20 }, () => notFiscalized()))
    const finding = Promise.all(documents.map((document) => store((it) => it.conclude(signed(document)))))
    await Promise.all([finding, advance(), advance(), seal(), seal()])
    for (let pass = 0; pass < 2; pass += 1) {
      await Promise.all([advance(), advance(), seal(), seal()])
      assert.strictEqual(await receipts(), 20)
    }
    await advance()
    assert.deepStrictEqual([await pending(), await counted(), await receipts()], [0, 20, 20])
  })

  it("when its host's clock was behind, so that it was added to the journal's tables last", async () => {
    const { counted, notFiscalized, pending, receipts, searchable } = await stage()
    await notFiscalized({ createdAt: DateTime.nowUnsafe() })
    await advance()
    const late = await notFiscalized({ createdAt: DateTime.subtract(DateTime.nowUnsafe(), { minutes: 20 }) })
    await store((it) => it.conclude(signed(late)))
    await seal()
    await notFiscalized({ createdAt: DateTime.nowUnsafe() })
    await advance()
    assert.deepStrictEqual([await searchable(), await pending(), await counted(), await receipts()], [3, 0, 1, 1])
  })
})
