/**
 * The month of a bookkeeper. In a month of 10,000 receipts, the book is read in turns as it is and as an earlier release read it: page by page of whole documents
 * (the reference). Then a month of the given number of receipts becomes a workbook as the portal sends it: how long it takes, how long other requests have to wait
 * meanwhile (the longest pause of the event loop), and how much memory it takes. Receipts are rows that the real path wrote, multiplied by INSERT … SELECT.
 *
 *     node --conditions=@overa/source bench/books.ts [receipts of the large month, 100000 if left out]
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as wait } from "node:timers/promises"
import { layerBookDocuments, layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { writeBook } from "@overa/adapter-spreadsheets"
import { bookLine, type JournalCursor, JournalStore, lineSums, noFilter, readMonthBook, sumOf, type Tenant } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import pg from "pg"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { multiplyDocuments, storePatterns } from "../contract-tests/src/support/manyDocuments.ts"
import { speaker } from "../hosts/portal/src/language/Language.ts"
import { monthSheets } from "../hosts/portal/src/pages/books/monthSheets.ts"
import { expectAtMost, tellBounded } from "./support/figures.ts"
import { median } from "./support/load.ts"
import { takeIn } from "./support/takeIn.ts"

const receipts = Number(process.argv[2] ?? 100_000)
const compared = 10_000
const rounds = 3
const pageSize = 200
const megabyte = 1_048_576

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await startPostgresServer("books", { durable: true })
const client = new pg.Client({ connectionString: server.url("postgres") })
await client.connect()
const runtime = ManagedRuntime.make(Layer.provideMerge(
  Layer.mergeAll(layerBookDocuments, layerJournalStore, layerJournalUpkeep, layerOperationStore),
  layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "bench", statementTimeoutMillis: 600_000 })
))

const timed = async <A>(work: () => Promise<A>): Promise<{ readonly millis: number; readonly value: A }> => {
  const started = performance.now()
  const value = await work()
  return { millis: performance.now() - started, value }
}

const now = Date.now()
const month = { from: DateTime.toUtc(DateTime.makeUnsafe(now - 29 * 86_400_000)), to: DateTime.toUtc(DateTime.makeUnsafe(now)) }
const pattern = mintPlace()

/** The gross of the month, page by page of whole documents. */
const pageByPage = Effect.fnUntraced(function*(tenant: Tenant) {
  const journal = yield* JournalStore
  let gross = BigDecimal.make(0n, 2)
  let cursor: JournalCursor | null = null
  do {
    const { items, nextCursor }: Effect.Success<ReturnType<typeof journal.page>> = yield* journal.page(tenant, { ...noFilter, taxpayerId: pattern.taxpayerId, status: ["FISCALIZED"], pfr: month }, { cursor, pageSize })
    gross = BigDecimal.sum(gross, sumOf(items.map(bookLine).filter((line) => line !== null).map(lineSums)).gross)
    cursor = nextCursor
  } while (cursor !== null)
  return gross
})

const workbook = (tenant: Tenant) =>
  Effect.flatMap(readMonthBook(tenant, pattern.taxpayerId, month), (book) =>
    Stream.runFold(writeBook(monthSheets({ say: speaker("sr-Latn"), premiseName: (id) => id }, book)), () => 0, (size, bytes) => size + bytes.length))

try {
  await runtime.runPromise(migrate())
  await runtime.runPromise(storePatterns(pattern))
  const [some, many] = [mintPlace(), mintPlace()]
  for (const { organizationId } of [pattern, some, many]) await client.query("insert into organizations values ($1, 'Продавница', now())", [organizationId])
  await multiplyDocuments(client, pattern, some, { count: compared, days: 28, statuses: ["FISCALIZED"] })
  await multiplyDocuments(client, pattern, many, { count: receipts, days: 28, statuses: ["FISCALIZED"] })
  await takeIn(client, (effect) => runtime.runPromise(effect))

  const times = { now: [] as Array<number>, before: [] as Array<number> }
  for (let round = -1; round < rounds; round++) {
    const book = await timed(() => runtime.runPromise(readMonthBook(some, pattern.taxpayerId, month)))
    const before = await timed(() => runtime.runPromise(pageByPage(some)))
    if (!BigDecimal.equals(sumOf(book.value.lines.map(lineSums)).gross, before.value)) throw new Error("the two ways differ")
    if (round < 0) continue
    times.now.push(book.millis)
    times.before.push(before.millis)
  }
  print(`a month of ${compared} receipts: ${median(times.now).toFixed(0)} ms, page by page ${median(times.before).toFixed(0)} ms`)
  tellBounded({ name: "books: time to read a month, of page by page's", value: median(times.now) / median(times.before), better: "lower" }, 0.5)

  const pauses = monitorEventLoopDelay({ resolution: 1 })
  const idle = process.memoryUsage().rss
  let most = idle
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  await wait(100)
  pauses.enable()
  const read = await timed(() => runtime.runPromise(readMonthBook(many, pattern.taxpayerId, month)))
  print(`a month of ${receipts} receipts: read in ${(read.millis / 1_000).toFixed(1)} s, longest pause ${(pauses.max / 1e6).toFixed(0)} ms`)
  pauses.reset()
  const whole = await timed(() => runtime.runPromise(workbook(many)))
  pauses.disable()
  clearInterval(watch)
  print(`  as a workbook in ${(whole.millis / 1_000).toFixed(1)} s, ${(whole.value / megabyte).toFixed(1)} MB; longest pause ${(pauses.max / 1e6).toFixed(0)} ms; memory ${((most - idle) / megabyte).toFixed(0)} MB more`)
  expectAtMost("the seconds of a workbook for 100,000 receipts", (whole.millis / 1_000) * (100_000 / receipts), 30)
  expectAtMost("the longest pause of other requests in ms", pauses.max / 1e6, 1_000)
} finally {
  await runtime.dispose()
  await client.end()
  await server.destroy()
}
