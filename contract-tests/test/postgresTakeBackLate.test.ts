import type { PostgresPorts } from "@overa/adapter-postgres"
import {
  anyTime, JournalSealer, JournalStore, JournalUpkeep, noFilter, type Operation, OperationStore, RestoreActs, type SignedAnswer, type TakeBack
} from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { mintPlace, sampleAnswer, sampleAttempt, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const act = { actor: "ana", reason: "test" }

let database: ThrowawayDatabase
let client: pg.Client
let runtime: ManagedRuntime.ManagedRuntime<PostgresPorts, unknown>
beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  runtime = ManagedRuntime.make(postgresPorts(database.url).pipe(Layer.orDie))
}, 60_000)
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

const run = <A, E>(body: Effect.Effect<A, E, PostgresPorts>): Promise<A> => runtime.runPromise(body)
const ago = (amount: Parameters<typeof DateTime.subtract>[1]): DateTime.Utc => DateTime.toUtc(DateTime.subtract(DateTime.nowUnsafe(), amount))

/** Its answer, signed in the second in which it was made. */
const answerOf = ({ createdAt }: Operation): SignedAnswer => {
  const answer = sampleAnswer()
  return { ...answer, pfr: { ...answer.pfr, sdcTime: DateTime.formatIso(createdAt).replace("Z", "+00:00") as SignedAnswer["pfr"]["sdcTime"] } }
}

const begin = () => run(Effect.flatMap(RestoreActs, (acts) => acts.begin(act, ago({ days: 400 }))))
const end = () => run(Effect.flatMap(RestoreActs, (acts) => acts.end(act)))
const putBack = (operation: Operation) => {
  const item: Exclude<TakeBack, { readonly _tag: "Nothing" }> = {
    _tag: "Operation", operation, attempts: [sampleAttempt(operation)], invoiceNumber: null, transitions: sampleReservation(operation).transitions
  }
  return run(Effect.flatMap(RestoreActs, (acts) => acts.putBack(act, item)))
}

const takeBack = async (operation: Operation) => {
  await begin()
  const result = await putBack(operation)
  await end()
  return result
}

const stage = async () => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  const made = (createdAt: DateTime.Utc, clientReference = "нова"): Operation =>
    sampleOperation(place, { createdAt, updatedAt: createdAt, content: { ...sampleContent(), clientReference } })
  const conclude = (operation: Operation, event: "signed" | "found" = "signed") =>
    run(Effect.flatMap(OperationStore, (store) => store.conclude(signed(operation, { event, answer: answerOf(operation) }))))
  const count = async (table: string, condition = "true"): Promise<number> =>
    (await client.query(`select count(*)::int as count from ${table} where organization_id = $1 and ${condition}`, [place.organizationId])).rows[0].count
  const everything = { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy: [] } as const
  return {
    place,
    made,
    conclude,
    sell: async (createdAt: DateTime.Utc) => {
      const operation = made(createdAt)
      await run(Effect.flatMap(OperationStore, (store) => store.reserve(sampleReservation(operation))))
      await conclude(operation)
    },
    receipts: async () => (await run(Effect.flatMap(JournalStore, (journal) => journal.turnover(place, everything))))[0]?.receipts ?? 0,
    /** How many documents a search by a text finds, which the journal's tables serve. */
    matches: async (text: string) =>
      (await run(Effect.flatMap(JournalStore, (journal) => journal.page(place, { ...noFilter, text }, { cursor: null, pageSize: 10 })))).items.length,
    entered: () => count("journal_entries"),
    counted: () => count("turnover_parts", "counts_receipt"),
    pending: () => count("journal_pending"),
    sealed: () => count("journal_log_entries"),
    /** Whether searches look as far back as this. */
    reaches: async (createdAt: DateTime.Utc): Promise<boolean> =>
      (await client.query("select first_at <= $2 as reaches from journal_horizons where organization_id = $1", [place.organizationId, DateTime.toDateUtc(createdAt)])).rows[0].reaches
  }
}

const advance = (limit = 1_000) => run(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit })))
const seal = () => run(Effect.flatMap(JournalSealer, (sealer) => sealer.seal({ limit: 1_000 })))

describe("PostgreSQL: a document that is taken back long after it was made", () => {
  it.each([20, 40, 400])("is searched, sealed and counted like every other, once: %i days", async (days) => {
    const { conclude, counted, made, matches, pending, reaches, receipts, sealed, sell } = await stage()
    await sell(ago({ minutes: 10 }))
    await advance()
    await seal()
    const lost = made(ago({ days }), `изгубљена-${days}`)
    assert.strictEqual(await takeBack(lost), "PUT_BACK")
    await advance()
    assert.deepStrictEqual([await matches(`изгубљена-${days}`), await reaches(lost.createdAt), await receipts()], [1, true, 1])
    const before = await sealed()
    await conclude(lost, "found")
    assert.strictEqual(await receipts(), 2)
    await seal()
    assert.deepStrictEqual([await sealed() - before, await receipts()], [1, 2])
    for (let pass = 0; pass < 2; pass += 1) {
      await advance()
      assert.deepStrictEqual([await pending(), await counted(), await receipts(), await matches(`изгубљена-${days}`)], [0, 2, 2, 1])
    }
  })

  it("is left to the worker while its pass has not come so far, and is counted once meanwhile", async () => {
    const { conclude, counted, entered, made, pending, receipts, sell } = await stage()
    await sell(ago({ days: 50 }))
    await advance()
    await client.query("update journal_horizons set taken_to = now() - interval '45 days'")
    const lost = made(ago({ days: 40 }))
    await takeBack(lost)
    await conclude(lost, "found")
    // A pass that only settles what waits.
    await advance(0)
    assert.deepStrictEqual([await entered(), await receipts()], [1, 2])
    await advance()
    assert.deepStrictEqual([await pending(), await counted(), await receipts()], [0, 2, 2])
  })

  it("waits for a pass that runs meanwhile and does not see it", async () => {
    const { conclude, counted, made, place, receipts, sell } = await stage()
    await sell(ago({ days: 50 }))
    await advance()
    await client.query("update journal_horizons set taken_to = now() - interval '45 days'")
    const pass = await database.client()
    await pass.query("begin")
    await pass.query("update journal_horizons set taken_to = now() where organization_id = $1", [place.organizationId])
    const lost = made(ago({ days: 40 }))
    const taking = takeBack(lost)
    await untilLocked(client, "tests")
    await pass.query("commit")
    assert.strictEqual(await taking, "PUT_BACK")
    await conclude(lost, "found")
    await advance()
    assert.deepStrictEqual([await counted(), await receipts()], [2, 2])
  })

  it("is waited for by a pass that begins before its commit has ended", async () => {
    const { conclude, counted, made, receipts, sell } = await stage()
    await sell(ago({ days: 50 }))
    await advance()
    await client.query("update journal_horizons set taken_to = now() - interval '45 days'")
    await sell(ago({ minutes: 10 }))
    const lost = made(ago({ days: 40 }))
    await begin()
    const holder = await database.client()
    await holder.query("begin; lock table activity_log in share row exclusive mode")
    const taking = putBack(lost)
    await untilLocked(client, "tests")
    const advancing = advance()
    // The pass waits, or has already ended.
    await Promise.race([advancing, untilLocked(client, "tests", 2)])
    await holder.query("rollback")
    await Promise.all([taking, advancing])
    await end()
    await conclude(lost, "found")
    await advance()
    assert.deepStrictEqual([await counted(), await receipts()], [3, 3])
  })
})
