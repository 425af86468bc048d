/**
 * The journal with many documents: the given numbers of documents and organizations, the largest organization with a fifth of the documents, as rows
 * that the real path wrote, multiplied by INSERT … SELECT. Alternately and so under the same load, an organization of 10,000 documents and the
 * largest are asked for a page under every filter, a page far behind, an export of 10,000 rows compared with COPY of the same columns, and the
 * turnover of a month and of a year. Prints medians, p95 and ratios; fails where a page of the largest takes more than 25 ms (p95) or twice the small
 * one's median, the export less than half the speed of COPY, a month more than 500 ms, a year more than 3 s.
 *
 *     node --conditions=@overa/source bench/journal.ts [documents, 1000000 if left out] [organizations, 50]
 */
import { layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { type JournalFilter, JournalStore, readJournalFilter, type Tenant, type TurnoverGrouping } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import pg from "pg"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { multiplyDocuments, storePatterns } from "../contract-tests/src/support/manyDocuments.ts"
import { exportBesideCopy } from "./support/exportBesideCopy.ts"
import { median } from "./support/load.ts"
import { takeIn } from "./support/takeIn.ts"

const documents = Number(process.argv[2] ?? 1_000_000)
const organizations = Number(process.argv[3] ?? 50)
const small = 10_000
const rounds = 30
const years = 3

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await startPostgresServer("journal", { durable: true })
const client = new pg.Client({ connectionString: server.url("postgres") })
await client.connect()
const runtime = ManagedRuntime.make(
  Layer.provideMerge(
    Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore),
    layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "bench", statementTimeoutMillis: 600_000 })
  )
)
let failures = 0
const expectAtMost = (what: string, found: number, limit: number): void => {
  if (found <= limit) return
  failures += 1
  print(`  too much: ${what} is ${found.toFixed(2)}, the limit is ${limit}`)
}

const timed = async <A>(work: () => Promise<A>): Promise<{ readonly millis: number; readonly value: A }> => {
  const started = performance.now()
  const value = await work()
  return { millis: performance.now() - started, value }
}

const p95 = (times: ReadonlyArray<number>): number => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

const filterOf = (query: Readonly<Record<string, string>>): JournalFilter =>
  Result.getOrThrow(readJournalFilter(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))))

try {
  await runtime.runPromise(migrate())
  const pattern = mintPlace()
  await runtime.runPromise(storePatterns(pattern))
  const tenants = Array.from({ length: organizations }, () => mintPlace())
  const [few = pattern, many = pattern, ...others] = tenants
  const largest = Math.max(small, Math.floor(documents / 5))
  for (const { organizationId } of [pattern, ...tenants]) await client.query("insert into organizations values ($1, 'Продавница', now())", [organizationId])
  const filled = await timed(async () => {
    await multiplyDocuments(client, pattern, few, small, years)
    await multiplyDocuments(client, pattern, many, largest, years)
    for (const other of others) await multiplyDocuments(client, pattern, other, Math.max(1, Math.floor((documents - small - largest) / Math.max(1, others.length))), years)
  })
  const journal = await runtime.runPromise(Effect.service(JournalStore))
  const taken = await takeIn(client, (effect) => runtime.runPromise(effect))
  print(`${documents} documents in ${(filled.millis / 1_000).toFixed(0)} s, taken in at ${((taken.entries * 1_000) / taken.millis).toFixed(0)} a second, entries indexed in ${(taken.indexMillis / 1_000).toFixed(0)} s`)
  const { rows: [bytes] } = await client.query(`select count(*) as documents, pg_total_relation_size('operations') as "rows and their indexes", pg_relation_size('operations_journal') as "the journal's order",
    pg_table_size('journal_entries') as entries, pg_relation_size('journal_entries_search') as "their search index", pg_total_relation_size('turnover_parts') as "turnover parts" from operations`)
  const { documents: stored, ...parts } = bytes
  print(`bytes a document: ${Object.entries(parts).map(([name, size]) => `${name} ${(Number(size) / Number(stored)).toFixed(0)}`).join(", ")}`)

  const now = Date.now()
  const day = 86_400_000
  const iso = (millis: number): string => new Date(millis).toISOString()
  const someNumber = async (of: Tenant): Promise<string> =>
    (await client.query("select invoice_number from operations where organization_id = $1 and invoice_number is not null order by created_at limit 1", [of.organizationId])).rows[0].invoice_number
  const someReference = async (of: Tenant): Promise<string> =>
    (await client.query("select client_reference from operations where organization_id = $1 order by created_at limit 1", [of.organizationId])).rows[0].client_reference
  const facts = { few: { number: await someNumber(few), reference: await someReference(few) }, many: { number: await someNumber(many), reference: await someReference(many) } }
  type Facts = typeof facts.few
  const questions: ReadonlyArray<readonly [string, (facts: Facts, tenant: typeof few) => Readonly<Record<string, string>>]> = [
    ["no filter", () => ({})],
    ["taxpayerId", () => ({ taxpayerId: pattern.taxpayerId })],
    ["businessPremiseId", () => ({ businessPremiseId: pattern.businessPremiseId })],
    ["status=FISCALIZED", () => ({ status: "FISCALIZED" })],
    ["status=REJECTED", () => ({ status: "REJECTED" })],
    ["status=SUBMITTING", () => ({ status: "SUBMITTING" })],
    ["invoiceType=COPY", () => ({ invoiceType: "COPY" })],
    ["transactionType=REFUND", () => ({ transactionType: "REFUND" })],
    ["clientReference, the oldest", ({ reference }) => ({ clientReference: reference })],
    ["pfrNumber, the oldest", ({ number }) => ({ pfrNumber: number })],
    ["buyerId", () => ({ buyerId: "20:007" })],
    ["cashierId", () => ({ cashierId: "ана" })],
    ["text of all: а", () => ({ text: "а" })],
    ["text of some: secer 7", () => ({ text: "secer 7" })],
    ["text of one: its reference", ({ reference }) => ({ text: reference })],
    ["text of none", () => ({ text: "qwertz" })],
    ["pfrFrom, pfrTo: a day two years ago", () => ({ pfrFrom: iso(now - 731 * day), pfrTo: iso(now - 730 * day) })],
    ["createdTo two years ago", () => ({ createdTo: iso(now - 730 * day) })],
    ["cashierId and a month two years ago", () => ({ cashierId: "ана", pfrFrom: iso(now - 760 * day), pfrTo: iso(now - 730 * day) })]
  ]
  print(`${"a page of 50".padEnd(40)}${`${small}`.padStart(10)}${`${largest}`.padStart(10)}     p95   ratio   (ms)`)
  for (const [name, asked] of questions) {
    const times = { few: [] as Array<number>, many: [] as Array<number> }
    const page = (of: Tenant, query: Readonly<Record<string, string>>) => timed(() => runtime.runPromise(journal.page(of, filterOf(query), { cursor: null, pageSize: 50 })))
    for (let round = -3; round < rounds; round++) {
      const [one, other] = [await page(few, asked(facts.few, few)), await page(many, asked(facts.many, many))]
      if (round < 0) continue
      times.few.push(one.millis)
      times.many.push(other.millis)
    }
    const [ofFew, ofMany, slow] = [median(times.few), median(times.many), p95(times.many)]
    print(`${name.padEnd(40)}${ofFew.toFixed(1).padStart(10)}${ofMany.toFixed(1).padStart(10)}${slow.toFixed(1).padStart(8)}${(ofMany / ofFew).toFixed(2).padStart(8)}`)
    expectAtMost(`the ratio under “${name}”`, ofMany / ofFew, 2)
    expectAtMost(`p95 under “${name}”`, slow, 25)
  }

  const deep = await client.query("select created_at, operation_id from operations where organization_id = $1 order by created_at offset 1000 limit 1", [many.organizationId])
  const cursor = { createdAt: DateTime.toUtc(DateTime.makeUnsafe(deep.rows[0].created_at)), id: deep.rows[0].operation_id as string }
  const deepTimes: Array<number> = []
  const firstTimes: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    deepTimes.push((await timed(() => runtime.runPromise(journal.page(many, filterOf({}), { cursor, pageSize: 50 })))).millis)
    firstTimes.push((await timed(() => runtime.runPromise(journal.page(many, filterOf({}), { cursor: null, pageSize: 50 })))).millis)
  }
  print(`a page at the end of the journal: ${median(deepTimes).toFixed(1)} ms, the first: ${median(firstTimes).toFixed(1)} ms`)
  expectAtMost("the ratio of the last page to the first", median(deepTimes) / median(firstTimes), 2)

  const exported = await exportBesideCopy((effect) => runtime.runPromise(effect), client, many, filterOf({}))
  print(`export of 10,000 documents, ${exported.megabytes.toFixed(1)} MB: first line after ${exported.first.toFixed(0)} ms, whole ${exported.whole.toFixed(0)} ms, memory at most ${exported.memory.toFixed(0)} MB more`)
  print(`  COPY of the same columns: ${exported.copy.toFixed(0)} ms, ratio ${exported.ratio.toFixed(2)}`)
  expectAtMost("the time to the first line of an export", exported.first, 200)
  expectAtMost("the time of the export against COPY's", 1 / exported.ratio, 2)

  const report = async (name: string, days: number, groupBy: ReadonlyArray<TurnoverGrouping>, limit: number) => {
    const pfr = filterOf({ pfrFrom: iso(now - (200 + days) * day), pfrTo: iso(now - 200 * day) }).pfr
    const asked = { taxpayerId: null, businessPremiseId: null, pfr, groupBy }
    await runtime.runPromise(journal.turnover(many, asked))
    const { millis, value } = await timed(() => runtime.runPromise(journal.turnover(many, asked)))
    const receipts = await client.query("select count(*) as count from operations where organization_id = $1 and sdc_time >= $2 and sdc_time < $3", [many.organizationId, iso(now - (200 + days) * day), iso(now - 200 * day)])
    print(`turnover of ${name} by ${groupBy.join(" and ")}: ${millis.toFixed(0)} ms, ${receipts.rows[0].count} receipts, ${value.length} rows`)
    expectAtMost(`the turnover of ${name}`, millis, limit)
  }
  await report("a month", 30, ["day", "taxLabel"], 500)
  await report("a year", 365, ["month", "taxLabel"], 3_000)
} finally {
  await runtime.dispose()
  await client.end()
  await server.destroy()
}
if (failures > 0) process.exitCode = 1
