import { layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore } from "@overa/adapter-postgres"
import { anyTime, JournalStore, JournalUpkeep, OperationStore, type TurnoverGrouping } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { historyOperation, storeHistory } from "../src/support/sampleHistory.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const applicationName = "turnover-days"
const recorder = recordStatements()

let database: ThrowawayDatabase
let client: pg.Client
let runtime: ManagedRuntime.ManagedRuntime<JournalStore | JournalUpkeep | OperationStore, unknown>

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  runtime = ManagedRuntime.make(
    Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore).pipe(
      Layer.provide(recorder.layer),
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName }))
    )
  )
})
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

/** A pass of a worker; two at once are two workers. */
const advance = (limit = 1_000) => runtime.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit })))

const groupings: ReadonlyArray<ReadonlyArray<TurnoverGrouping>> = [[], ["day"], ["paymentType"], ["taxLabel"], ["cashier", "premise", "paymentType", "taxLabel"]]

const refundSums = ["refund_paras", "refund_tax", "refund_receipts", "refund_payments", "refund_labels", "refund_parts"]

/** An organization with some sixty documents, of which the worker has added all to the journal's tables. */
const stage = async (documents = 60) => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  await runtime.runPromise(Effect.flatMap(OperationStore, (store) =>
    Effect.forEach(Array.from({ length: documents }, (_, at) => historyOperation([place], at)), (operation, at) => storeHistory(store, operation, at))))
  await advance()
  const query = (sql: string) => client.query(sql, [place.organizationId])
  const report = (groupBy: ReadonlyArray<TurnoverGrouping>) =>
    runtime.runPromise(Effect.flatMap(JournalStore, (journal) =>
      journal.turnover(place, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy })))
  const sides = (groupBy: ReadonlyArray<TurnoverGrouping>) =>
    runtime.runPromise(Effect.flatMap(JournalStore, (journal) =>
      journal.salesAndRefunds(place, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy })))
  return {
    place,
    query,
    report,
    sides,
    reports: async () => JSON.stringify(await Promise.all(groupings.flatMap((groupBy) => [report(groupBy), sides(groupBy)])), (_key, value: unknown) => typeof value === "bigint" ? String(value) : value),
    days: async (): Promise<ReadonlyArray<unknown>> => (await query("select * from turnover_days where organization_id = $1 order by 3, 4, 5, 6, 7, 8, 9")).rows,
    /** As an earlier release left it: parts that are in no sum. */
    forgetSums: async () => {
      await query("update turnover_parts set summed = false, sided = false where organization_id = $1")
      await query("delete from turnover_days where organization_id = $1")
    },
    /** As the last release left it: parts that are in the sums, whose refunds have no sums of their own. */
    forgetRefunds: async () => {
      await query("update turnover_parts set sided = false where organization_id = $1")
      await query(`update turnover_days set ${refundSums.map((name) => `${name} = 0`).join(", ")} where organization_id = $1`)
    }
  }
}

describe("parts of receipts that a host of an earlier release has added", () => {
  it("are reported at once, are then summed once by any number of workers, and make the same sums as if they had been added today", async () => {
    const { days, forgetSums, reports } = await stage()
    const [told, summed] = [await reports(), await days()]
    assert.isNotEmpty(summed)
    await forgetSums()
    assert.deepStrictEqual([await reports(), await days()], [told, []])
    await Promise.all([advance(), advance(), advance()])
    assert.deepStrictEqual([await reports(), await days()], [told, summed])
    assert.strictEqual(await advance(), 0)
  })

  it("and whose refunds are not yet summed alone: sales and refunds are told apart at once, are then summed once by any number of workers, half at a time too", async () => {
    const { days, forgetRefunds, query, reports, sides } = await stage()
    const [told, summed] = [await reports(), await days()]
    assert.isAbove((await sides([])).whole?.refunds.receipts ?? 0, 2)
    await forgetRefunds()
    assert.strictEqual(await reports(), told)
    await Promise.all([advance(), advance(), advance()])
    assert.deepStrictEqual([await reports(), await days()], [told, summed])
    // A host of the last release adds further parts while a worker of this one has begun.
    await query(`with chosen as (select operation_id from turnover_parts where organization_id = $1 and counts_receipt order by operation_id limit 30),
        parts as (update turnover_parts t set sided = false from chosen c where t.organization_id = $1 and t.operation_id = c.operation_id returning t.*)
      update turnover_days d set ${refundSums.map((name) => `${name} = d.${name} - r.${name}`).join(", ")}
      from (select p.day, p.cashier_id, p.label_set, coalesce(p.payment_type, '') as payment_type, coalesce(p.tax_label, '') as tax_label,
          sum(p.paras) as refund_paras, sum(p.tax) as refund_tax, count(*) filter (where p.counts_receipt) as refund_receipts, count(*) filter (where p.counts_payment) as refund_payments,
          count(*) filter (where p.counts_labels) as refund_labels, count(*) filter (where p.counts_part) as refund_parts
        from parts p join operations o on o.organization_id = p.organization_id and o.operation_id = p.operation_id and o.transaction_type = 'REFUND' group by 1, 2, 3, 4, 5) r
      where d.organization_id = $1 and d.day = r.day and d.cashier_id = r.cashier_id and d.label_set = r.label_set and d.payment_type = r.payment_type and d.tax_label = r.tax_label`)
    assert.notDeepEqual(await days(), summed)
    assert.strictEqual(await reports(), told)
    assert.isAbove(await advance(), 0)
    assert.deepStrictEqual([await reports(), await days()], [told, summed])
    assert.strictEqual(await advance(), 0)
  })

  it("are summed after another worker has ended its pass over the same organization, so that the two do not wait for each other's rows", async () => {
    const { forgetSums, place, reports } = await stage(5)
    const told = await reports()
    await forgetSums()
    const holder = await database.client()
    await holder.query("begin")
    await holder.query("select from journal_horizons where organization_id = $1 for update", [place.organizationId])
    const advancing = advance()
    await untilLocked(client, applicationName)
    await holder.query("rollback")
    assert.isAbove(await advancing, 0)
    assert.strictEqual(await reports(), told)
  })

  it("are summed by later passes where one pass does not reach them all, and a report in between counts each once, sums beyond 64 bits too", async () => {
    const { place, query, report } = await stage(0)
    await client.query("insert into journal_horizons (organization_id, environment, taken_to) values ($1, $2, now())", [place.organizationId, place.environment])
    const parts = 12_000
    await client.query(
      `insert into turnover_parts (organization_id, environment, operation_id, position, taxpayer_id, premise_id, cashier_id, sdc_time, day, label_set, paras, tax,
         counts_receipt, counts_payment, counts_labels, counts_part)
       select $1, $2, gen_random_uuid(), 0, $3, $4, 'web', '2026-03-01T12:00:00+01:00', '2026-03-01', 'Ђ', 9000000000000000000, 9000000000000000000, true, true, true, true
       from generate_series(1, $5::int)`,
      [place.organizationId, place.environment, place.taxpayerId, place.businessPremiseId, parts]
    )
    for (const summed of [5_000, 5_000, 2_000, 0]) {
      assert.deepStrictEqual((await report([])).map(({ gross, receipts }) => [receipts, gross.value]), [[parts, 9_000_000_000_000_000_000n * BigInt(parts)]])
      assert.strictEqual(await advance(100), summed)
    }
    assert.lengthOf((await query("select from turnover_parts where organization_id = $1 and not (summed and sided)")).rows, 0)
  })
})

describe("the sums of days", () => {
  it("stay the same when the journal's search tables are emptied and made again", async () => {
    const { days, query, reports } = await stage()
    const before = [await reports(), await days()]
    await query("delete from journal_entries where organization_id = $1")
    await query("delete from journal_horizons where organization_id = $1")
    assert.isAbove(await advance(), 0)
    assert.deepStrictEqual([await reports(), await days()], before)
  })

  it("are handed over a row for each group of the report, and of no report more rows than the first one that it may not have", () => {
    const sums = [...recorder.statements].filter((sql) => sql.includes(" as receipts_of_whole"))
    assert.isAtLeast(sums.length, 10)
    for (const sql of sums) assert.match(sql, /json_agg\([^]*\) s (?:group by s\.g0[^]*|having count\(\*\) > 0) limit 10001$/)
  })

  it("are kept by statements that name their organization, so that a server may be split by it", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("turnover_"))
    assert.isAtLeast(statements.length, 9)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})
