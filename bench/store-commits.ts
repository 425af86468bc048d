/**
 * How fast the store takes sales: both durable commits of each, nothing else. Side by side in one run, on one server that waits for its
 * disk: the `pg` driver with named prepared statements, one sale at a time on each of 16 connections (the bar the specification of
 * the work calls bare commits), and our store, which lets concurrent commits share a statement. Both write exactly the same rows.
 *
 *   node --conditions=@overa/source bench/store-commits.ts [seconds per point]
 */
import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { bareCommits, barePool, mintSale, type Sale } from "./support/bareCommits.ts"
import { measured, type Measured, median } from "./support/load.ts"

const seconds = Number(process.argv[2] ?? 3)
const rounds = 3

interface Writer {
  readonly name: string
  readonly write: (sale: Sale) => Promise<void>
}

const ourStore = (runtime: ManagedRuntime.ManagedRuntime<OperationStore, unknown>): Writer => ({
  name: "our store",
  write: async ({ reservation, conclusion }) => {
    const concluded = await runtime.runPromise(Effect.gen(function*() {
      const store = yield* OperationStore
      yield* store.reserve(reservation)
      return yield* store.conclude(conclusion)
    }))
    if (concluded._tag !== "Applied") throw new Error(`our store answered ${concluded._tag}`)
  }
})

interface StoreMeasured extends Measured {
  readonly cpuMillisPerSale: number
}

const measure = async (writer: Writer, concurrency: number): Promise<StoreMeasured> => {
  const times: Array<number> = []
  const cpu = process.cpuUsage()
  const started = performance.now()
  const until = started + seconds * 1_000
  const customer = async () => {
    while (performance.now() < until) {
      const sale = mintSale()
      const before = performance.now()
      await writer.write(sale)
      times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, customer))
  const elapsed = performance.now() - started
  const used = process.cpuUsage(cpu)
  return {
    ...measured(times, elapsed),
    cpuMillisPerSale: (used.user + used.system) / 1_000 / times.length
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const report = (concurrency: number, writer: Writer, runs: ReadonlyArray<StoreMeasured>): void => {
  const of = (pick: (run: StoreMeasured) => number) => median(runs.map(pick))
  const each = runs.map((run) => Math.round(run.perSecond)).join(" ")
  say(
    `${String(concurrency).padStart(4)}  ${writer.name.padEnd(34)} ${String(Math.round(of((run) => run.perSecond))).padStart(6)}/s [${each}]` +
      `  p50 ${of((run) => run.p50).toFixed(2)} ms  p99 ${of((run) => run.p99).toFixed(1)} ms  CPU ${of((run) => run.cpuMillisPerSale).toFixed(3)} ms`
  )
}

const server = await startPostgresServer("bench", { durable: true })
try {
  const url = server.url("postgres")
  const database = layerDatabase({ url: Redacted.make(url), applicationName: "bench" })
  await Effect.runPromise(Effect.provide(migrate(), database))
  const pool = barePool(url)
  const runtime = ManagedRuntime.make(Layer.provide(layerOperationStore(), database))
  const writers: ReadonlyArray<Writer> = [{ name: "bare commits (pg, 16 connections)", write: bareCommits(pool) }, ourStore(runtime)]
  for (const writer of writers) await measure(writer, 16)
  say(`medians of ${rounds} rounds of ${seconds} s; a sale is two durable commits`)
  for (const concurrency of [1, 64, 256]) {
    const runs = new Map<Writer, Array<StoreMeasured>>(writers.map((writer) => [writer, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const writer of writers) runs.get(writer)?.push(await measure(writer, concurrency))
    }
    for (const writer of writers) report(concurrency, writer, runs.get(writer) ?? [])
  }
  await pool.end()
  await runtime.dispose()
} finally {
  await server.destroy()
}
