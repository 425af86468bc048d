/**
 * How fast the store commits sales: both durable commits of each, nothing else. In one run, on one server that waits for its disk: the fixed
 * reference (`contract-tests/test/reference`, the rows and statements of an earlier release, which never change), the same driver with today's rows
 * and statements, one sale at a time on each of 16 connections, and our store, in which concurrent commits share a statement. Then the bytes of a
 * sale, on disk and in the log. The processor time is the client's: on a loaded machine it says more than a rate.
 *
 *   node --conditions=@overa/source bench/store-commits.ts [seconds per point]
 */
import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { bareCommits, barePool, mintSale, referenceCommits, referencePool, type Sale } from "./support/bareCommits.ts"
import { tellFigure } from "./support/figures.ts"
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

/** Over consecutive rounds: a slow moment of the machine affects both. */
const tellRatio = (concurrency: number, ours: ReadonlyArray<StoreMeasured>, reference: ReadonlyArray<StoreMeasured>): void => {
  const ratio = (pick: (run: StoreMeasured) => number) => median(ours.map((run, round) => pick(run) / pick(reference[round] ?? run)))
  const at = `store, ${concurrency} at once`
  tellFigure({ name: `${at}: rate / reference`, value: ratio((run) => run.perSecond), better: "higher" })
  tellFigure({ name: `${at}: client CPU / reference`, value: ratio((run) => run.cpuMillisPerSale), better: "lower" })
}

const tables = "'operations', 'attempts', 'transitions'"

const numberOf = async (pool: pg.Pool, sql: string, params: ReadonlyArray<unknown> = []): Promise<number> =>
  Number((await pool.query<{ readonly number: string }>(sql, [...params])).rows[0]?.number)

/**
 * On disk: everything that the sales so far stored, indexes included. In the log: one sale after another, after a checkpoint and some sales that
 * wrote whole pages.
 */
const sayBytes = async (name: string, pool: pg.Pool, write: () => Promise<void>): Promise<void> => {
  const sales = 300
  await pool.query("vacuum operations")
  const disk = await numberOf(pool, `select sum(pg_total_relation_size(name::regclass)) / (select count(*) from operations) as number
    from unnest(array[${tables}]) as t (name)`)
  await pool.query("checkpoint")
  for (let sale = 0; sale < sales; sale += 1) await write()
  const { rows: [start] } = await pool.query<{ readonly at: string }>("select pg_current_wal_lsn() as at")
  for (let sale = 0; sale < sales; sale += 1) await write()
  const log = await numberOf(pool, "select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as number", [start?.at])
  say(`${name}: ${Math.round(disk)} bytes a sale on disk, ${Math.round(log / sales)} in the log`)
}

const server = await startPostgresServer("bench", { durable: true })
try {
  const url = server.url("postgres")
  const database = layerDatabase({ url: Redacted.make(url), applicationName: "bench" })
  await Effect.runPromise(Effect.provide(migrate(), database))
  const pool = barePool(url)
  const runtime = ManagedRuntime.make(Layer.provide(layerOperationStore, database))
  const earlier = await referencePool(server.url)
  const reference: Writer = { name: "reference (pg, 16 connections)", write: referenceCommits(earlier) }
  const bare: Writer = { name: "bare commits (pg, 16 connections)", write: bareCommits(pool) }
  const ours = ourStore(runtime)
  const writers: ReadonlyArray<Writer> = [reference, bare, ours]
  for (const writer of writers) await measure(writer, 16)
  say(`medians of ${rounds} rounds of ${seconds} s; a sale is two durable commits`)
  for (const concurrency of [1, 64, 256]) {
    const runs = new Map<Writer, Array<StoreMeasured>>(writers.map((writer) => [writer, []]))
    for (let round = 0; round < rounds; round += 1) {
      for (const writer of writers) runs.get(writer)?.push(await measure(writer, concurrency))
    }
    for (const writer of writers) report(concurrency, writer, runs.get(writer) ?? [])
    tellRatio(concurrency, runs.get(ours) ?? [], runs.get(reference) ?? [])
  }
  await sayBytes("reference", earlier, () => reference.write(mintSale()))
  await sayBytes("today", pool, () => bare.write(mintSale()))
  await pool.end()
  await earlier.end()
  await runtime.dispose()
} finally {
  await server.destroy()
}
