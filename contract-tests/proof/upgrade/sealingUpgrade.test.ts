import { layerDatabase, layerJournalAudit, makeSecrets, migrate, migrations } from "@overa/adapter-postgres"
import { JournalAudit, leafHash, openCheckpoint, type Operation, OperationStore, readVerifierKey, verifyInclusion } from "@overa/domain"
import { Effect, Layer, Redacted, Result } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../../src/support/sampleOperations.ts"
import { encryptionKeys, isConsistent, issued, placeOf, registerOrganization, type SealingWorker, sealingWorker, verifiedCheckpoint } from "../../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../../src/support/throwawayDatabase.ts"

// A log sealed by the release before, in its own schema: documents are marked in their rows, and there are no positions. Its rows are those of a
// present database without the new columns, which are the only difference.

const earlier = migrations.slice(0, migrations.findIndex(({ name }) => name === "sealing positions"))

let present: ThrowawayDatabase
let upgraded: ThrowawayDatabase
let source: pg.Client
let target: pg.Client
let worker: SealingWorker

beforeAll(async () => {
  present = await throwawayDatabase()
  upgraded = await throwawayDatabase({ migrated: false })
  await Effect.runPromise(Effect.provide(migrate(earlier), layerDatabase({ url: Redacted.make(upgraded.url), applicationName: "earlier" })))
  source = await present.client()
  target = await upgraded.client()
})
afterAll(async () => {
  await worker.close()
  await present.drop()
  await upgraded.drop()
})

const copyTable = async (table: string, columns = "to_jsonb(t)"): Promise<void> => {
  // As text: a number read here would lose its trailing zeros.
  const { rows } = await source.query<{ readonly row: string }>(`select (${columns})::text as row from ${table} t`)
  for (const { row } of rows) {
    await target.query(`insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`, [row])
  }
}

const sentAndUnknown = Effect.fnUntraced(function*(operation: Operation, isEnded: boolean) {
  const store = yield* OperationStore
  yield* store.reserve(sampleReservation(operation))
  if (isEnded) yield* store.conclude(noAnswer(operation))
  return operation
})

const verify = () =>
  Effect.runPromise(Effect.provide(
    Effect.flatMap(Effect.service(JournalAudit), (audit) => audit.verify),
    layerJournalAudit(Result.getOrThrow(makeSecrets(encryptionKeys))).pipe(Layer.provide(layerDatabase({ url: Redacted.make(upgraded.url), applicationName: "audit" })))
  ))

describe("A log of the release before", () => {
  it("goes on: what it sealed stays proven, what it had not sealed yet is sealed once, and all of it verifies", async () => {
    const tenant = mintPlace()
    const before = sealingWorker(present, "before")
    await registerOrganization(source, tenant.organizationId)
    const receipts = await before.run(Effect.forEach(Array.from({ length: 70 }), () => issued(tenant)))
    const unknown = await before.run(sentAndUnknown(sampleOperation(tenant), true))
    await before.seal()
    const checkpoint = await verifiedCheckpoint(before, tenant)
    const sealed = (await source.query("select operation_id from operations")).rows.map((row) => row.operation_id as string)
    const waiting = await before.run(issued(tenant))
    const flying = await before.run(sentAndUnknown(sampleOperation(tenant), false))
    await before.run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(signed(unknown))))
    await before.close()

    for (const table of ["organizations", "journal_keys", "journal_logs", "journal_log_entries", "journal_log_tiles", "journal_checkpoints"]) await copyTable(table)
    await copyTable("operations", "to_jsonb(t) - 'moved_by' || jsonb_build_object('sealed', coalesce((select sum(leaves) from journal_log_entries e where e.operation_id = t.operation_id), 0))")
    await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(upgraded.url), applicationName: "upgrade" })))
    worker = sealingWorker(upgraded, "after")

    assert.deepStrictEqual(await verifiedCheckpoint(worker, tenant), checkpoint)
    assert.strictEqual(checkpoint.size, 70 * 4 + 4)
    assert.strictEqual(await worker.seal(), 4 + 1)
    assert.strictEqual(await worker.seal(), 0)
    const next = await verifiedCheckpoint(worker, tenant)
    assert.isTrue(await isConsistent(worker, tenant, checkpoint, next))
    for (const id of [...sealed.slice(0, 3), unknown.id, receipts.at(-1)?.id ?? "", waiting.id]) {
      const place = (await placeOf(worker, tenant, { id: id as Operation["id"] })) ?? assert.fail("no place")
      const key = readVerifierKey(place.publicKey) ?? assert.fail("no key")
      const { root, size } = openCheckpoint(place.checkpoint, [key], place.origin) ?? assert.fail("not signed")
      assert.lengthOf(place.entries, id === unknown.id ? 5 : 4)
      for (const { inclusion, index, leaf } of place.entries) {
        assert.isTrue(verifyInclusion({ index, leaf: leafHash(new TextEncoder().encode(leaf)), proof: inclusion, root, size }))
      }
    }
    await worker.run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(signed(flying))))
    assert.strictEqual(await worker.seal(), 4)
    const [report, ...others] = (await verify()).filter(({ leaves }) => leaves > 0)
    assert.deepStrictEqual([report?.findings, report?.leaves, others], [[], next.size + 4, []])
  }, 60_000)
})
