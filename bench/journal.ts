/**
 * The journal with many documents: the given numbers of documents and organizations, the largest organization with a fifth of the documents, as rows
 * that the real path wrote, multiplied by INSERT … SELECT. Alternately and so under the same load, an organization of 10,000 documents and the
 * largest are asked for a page under every filter, a page far behind, an export of 10,000 rows compared with COPY of the same columns, and the
 * turnover of a month of 100,000 receipts (fewer where there are fewer than 500,000 documents) and of the year around it. Prints medians, p95 and
 * ratios next to their bounds: 25 ms (p95) and twice the small one's median for a page, half the speed of COPY for an export, 500 ms for a month and
 * 3 s for a year of turnover. Ends with 1 where one is missed.
 *
 *     node --conditions=@overa/source bench/journal.ts [documents, 1000000 if left out] [organizations, 50] [--installed]
 *
 * With --installed on the PostgreSQL of the operating system's packages, which compresses texts: ten million documents fit on a smaller disk.
 */
import { layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { anyTime, DocumentStatus, type JournalFilter, JournalStore, readJournalFilter, type Tenant, type TurnoverGrouping } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { parseArgs } from "node:util"
import pg from "pg"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { requireInstalledPostgres } from "../contract-tests/src/support/installedPostgres.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { multiplyDocuments, storePatterns } from "../contract-tests/src/support/manyDocuments.ts"
import { exportBesideCopy } from "./support/exportBesideCopy.ts"
import { expectAtMost } from "./support/figures.ts"
import { median, p95 } from "./support/load.ts"
import { takeIn } from "./support/takeIn.ts"

const { positionals, values: { installed } } = parseArgs({ allowPositionals: true, options: { installed: { type: "boolean", default: false } } })
const documents = Number(positionals[0] ?? 1_000_000)
const organizations = Number(positionals[1] ?? 50)
const small = 10_000
/** Documents of each organization whose outcome is not known: few, because the worker searches for each of them until it is. */
const unresolved = 100
const settled: ReadonlyArray<DocumentStatus> = ["FISCALIZED", "REJECTED", "NOT_FISCALIZED"]
const rounds = 30
const days = 3 * 365
/** The month whose turnover is reported: as many of its documents as make 100,000 receipts, besides the evenly spread ones. */
const busyMonth = { count: Math.min(150_000, Math.floor(documents / 3)), days: 30, endedDaysAgo: 200, statuses: ["FISCALIZED"] } as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await startPostgresServer("journal", { durable: true, ...(installed ? { release: requireInstalledPostgres() } : {}) })
const client = new pg.Client({ connectionString: server.url("postgres") })
await client.connect()
const runtime = ManagedRuntime.make(
  Layer.provideMerge(
    Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore),
    layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "bench", statementTimeoutMillis: 600_000 })
  )
)

const timed = async <A>(work: () => Promise<A>): Promise<{ readonly millis: number; readonly value: A }> => {
  const started = performance.now()
  const value = await work()
  return { millis: performance.now() - started, value }
}

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
  const fill = async (to: Tenant, count: number) => {
    await multiplyDocuments(client, pattern, to, { count: count - unresolved, days, statuses: settled })
    await multiplyDocuments(client, pattern, to, { count: unresolved, days, statuses: DocumentStatus.literals.filter((status) => !settled.includes(status)) })
  }
  const filled = await timed(async () => {
    await fill(few, small)
    await fill(many, largest)
    await multiplyDocuments(client, pattern, many, busyMonth)
    const count = Math.max(1, Math.floor((documents - small - largest - busyMonth.count) / Math.max(1, others.length)))
    for (const other of others) await fill(other, count)
  })
  const journal = await runtime.runPromise(Effect.service(JournalStore))
  const taken = await takeIn(client, (effect) => runtime.runPromise(effect))
  print(`${documents} documents in ${(filled.millis / 1_000).toFixed(0)} s, taken in at ${((taken.entries * 1_000) / taken.millis).toFixed(0)} a second, entries indexed in ${(taken.indexMillis / 1_000).toFixed(0)} s`)
  const { rows: [bytes] } = await client.query(`select count(*) as documents, pg_total_relation_size('operations') as "rows and their indexes", pg_relation_size('operations_journal') as "the journal's order",
    pg_table_size('journal_entries') as entries, pg_relation_size('journal_entries_search') as "their search index", pg_total_relation_size('turnover_parts') as "turnover parts",
    pg_total_relation_size('turnover_days') as "turnover days" from operations`)
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
  print("a page of 50, median of the small and of the largest organization in ms; asked: p95 of the largest at most 25 ms, ratio at most 2")
  print(`${"".padEnd(40)}${`${small}`.padStart(10)}${`${largest + busyMonth.count}`.padStart(10)}     p95   ratio`)
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
  print(`a page at the end of the journal: ${median(deepTimes).toFixed(1)} ms, the first: ${median(firstTimes).toFixed(1)} ms, ratio ${(median(deepTimes) / median(firstTimes)).toFixed(2)} (asked: at most 2)`)
  expectAtMost("the ratio of the last page to the first", median(deepTimes) / median(firstTimes), 2)

  const exported = await exportBesideCopy((effect) => runtime.runPromise(effect), client, many, filterOf({}))
  print(`export of 10,000 documents, ${exported.megabytes.toFixed(1)} MB: first line after ${exported.first.toFixed(0)} ms (asked: at most 200), whole ${exported.whole.toFixed(0)} ms, memory at most ${exported.memory.toFixed(0)} MB more`)
  print(`  COPY of the same columns: ${exported.copy.toFixed(0)} ms, ratio ${exported.ratio.toFixed(2)} (asked: at least 0.5)`)
  expectAtMost("the time to the first line of an export", exported.first, 200)
  expectAtMost("the time of the export against COPY's", 1 / exported.ratio, 2)

  const report = async (name: string, from: number, to: number, groupBy: ReadonlyArray<TurnoverGrouping>, limit: number) => {
    const [since, until] = [iso(now - from * day), iso(now - to * day)]
    const asked = { taxpayerId: null, businessPremiseId: null, pfr: filterOf({ pfrFrom: since, pfrTo: until }).pfr, created: anyTime, groupBy }
    const times: Array<number> = []
    let rows = 0
    for (let round = -2; round < 7; round++) {
      const { millis, value } = await timed(() => runtime.runPromise(journal.turnover(many, asked)))
      if (round >= 0) times.push(millis)
      rows = value.length
    }
    const { rows: [receipts] } = await client.query(
      "select count(*) as count from operations where organization_id = $1 and sdc_time >= $2 and sdc_time < $3 and invoice_type in ('NORMAL', 'ADVANCE')", [many.organizationId, since, until])
    print(`turnover of ${name} by ${groupBy.join(" and ")}: ${median(times).toFixed(0)} ms (asked: at most ${limit}), ${receipts.count} receipts, ${rows} rows`)
    expectAtMost(`the turnover of ${name}`, median(times), limit)
  }
  await report("a month", 230, 200, ["day", "taxLabel"], 500)
  await report("a year", 365, 0, ["month", "taxLabel"], 3_000)
} finally {
  await runtime.dispose()
  await client.end()
  await server.destroy()
}
