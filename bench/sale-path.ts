/**
 * The whole path of a sale — Koa, token, checks, first commit, mutual TLS to a minimal signer, second commit, answer — compared with the two bare
 * commits in it and with the fixed reference (an earlier release's commits), alternately on the same machine and the same server; through one host,
 * and through one host per core. Then with a slow signer, compared with bare commits with the same pause between them.
 *
 *   node --conditions=@overa/source bench/sale-path.ts [seconds per point] [rounds]
 */
import { availableParallelism } from "node:os"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { bareCommits, barePool, mintSale, referenceBatches, referenceCommits, referencePool } from "./support/bareCommits.ts"
import { tellFigure } from "./support/figures.ts"
import { fillLog } from "./support/fillLog.ts"
import { arrivals, inTurns, measure, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const seconds = Number(process.argv[2] ?? 3)
const rounds = Number(process.argv[3] ?? 3)
const cores = availableParallelism()
const salesToABatch = 16

interface Pools {
  readonly today: pg.Pool
  readonly reference: pg.Pool
}

type SalePath = Awaited<ReturnType<typeof salePath>>

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const hostsOf = (hosts: number): string => (hosts === 1 ? "one host" : `${hosts} hosts`)

const comparison = async (path: SalePath, pools: Pools, hosts: number, connections: number): Promise<void> => {
  const cpuBefore = path.cpuMillis()
  const soldBefore = path.sold()
  const bare = bareCommits(pools.today)
  const reference = referenceCommits(pools.reference)
  const [whole, bar, fixed] = await inTurns([
    () => measure(path.sell(hosts), connections, seconds),
    () => measure(() => bare(mintSale()), connections, seconds),
    () => measure(() => reference(mintSale()), connections, seconds)
  ], rounds)
  if (whole === undefined || bar === undefined || fixed === undefined) return
  // Over consecutive rounds: a slow moment of the machine affects all.
  const ratio = (other: typeof whole) => median(whole.each.map((rate, round) => rate / (other.each[round] ?? Number.NaN))).toFixed(2)
  say(
    `${String(connections).padStart(4)} connections, ${hostsOf(hosts)}: whole path ${Math.round(whole.perSecond)}/s [${whole.each.join(" ")}] p50 ${whole.p50.toFixed(2)} ms p99 ${whole.p99.toFixed(1)} ms` +
      ` | bare commits ${Math.round(bar.perSecond)}/s [${bar.each.join(" ")}] p50 ${bar.p50.toFixed(2)} ms p99 ${bar.p99.toFixed(1)} ms | rate ratio ${ratio(bar)}, p50 ratio ${(whole.p50 / bar.p50).toFixed(2)}` +
      ` | reference ${Math.round(fixed.perSecond)}/s [${fixed.each.join(" ")}] p50 ${fixed.p50.toFixed(2)} ms p99 ${fixed.p99.toFixed(1)} ms, rate ratio ${ratio(fixed)}` +
      ` | host CPU ${((path.cpuMillis() - cpuBefore) / (path.sold() - soldBefore)).toFixed(2)} ms a sale`
  )
  const at = `sale path, ${connections} connections, ${hostsOf(hosts)}`
  tellFigure({ name: `${at}: rate / reference`, value: Number(ratio(fixed)), better: "higher" })
  tellFigure({ name: `${at}: p50 / reference`, value: whole.p50 / fixed.p50, better: "lower" })
}

const batched = async (pool: pg.Pool): Promise<void> => {
  const commits = referenceBatches(pool)
  const batch = () => commits(Array.from({ length: salesToABatch }, mintSale))
  const [measured] = await inTurns([() => measure(batch, 16, seconds)], rounds)
  if (measured === undefined) return
  say(`     the reference with ${salesToABatch} sales to a statement, 16 connections: ${Math.round(measured.perSecond * salesToABatch)} sales/s`)
}

/** Own time: the time of a sale without the signer's, or without the pause between two bare commits. */
const slowSigner = async (path: SalePath, pool: pg.Pool, hosts: number, delayMillis: number, inFlight: number): Promise<void> => {
  const bare = bareCommits(pool, () => setTimeout(delayMillis))
  const perSecond = (inFlight * 1_000) / delayMillis
  const lasting = Math.max(seconds, (delayMillis * 4) / 1_000)
  path.delay(delayMillis)
  const [whole, bar] = await inTurns([
    () => arrivals(path.sell(hosts), perSecond, inFlight, lasting, delayMillis / 1_000),
    () => arrivals(() => bare(mintSale()), perSecond, inFlight, lasting, delayMillis / 1_000)
  ], rounds)
  path.delay(0)
  if (whole === undefined || bar === undefined) return
  const own = ({ p50, p99, perSecond }: typeof whole) =>
    `${Math.round(perSecond)}/s, own p50 ${(p50 - delayMillis).toFixed(1)} ms, p99 ${(p99 - delayMillis).toFixed(1)} ms`
  say(`signer takes ${delayMillis} ms, ${inFlight} in flight, ${hostsOf(hosts)}: ${own(whole)} | bare commits with that pause ${own(bar)}`)
}

const server = await startPostgresServer("bench", { durable: true })
try {
  const url = server.url("postgres")
  const path = await salePath(url, cores)
  const pool = barePool(url)
  const pools = { today: pool, reference: await referencePool(server.url) }
  const bare = bareCommits(pool)
  // The engine compiles a host's code only after it has run often, about thirty thousand sales; real hosts run for weeks.
  await measure(path.sell(1), 64, 30)
  await measure(path.sell(cores), 64, 30)
  await measure(() => bare(mintSale()), 16, seconds)
  await fillLog(url)
  say(`medians of ${rounds} rounds of ${seconds} s each, in turns; ${cores} cores`)
  for (const connections of [1, 64, 256]) await comparison(path, pools, 1, connections)
  for (const connections of [64, 256]) await comparison(path, pools, cores, connections)
  await batched(pools.reference)
  await fillLog(url)
  // 100, 333 and 667 sales a second, and 100 again: a sale waits for the other sales, not for its signer.
  for (const [delayMillis, inFlight] of [[300, 30], [300, 100], [300, 200], [2_000, 200]] as const) {
    await slowSigner(path, pool, cores, delayMillis, inFlight)
  }
  say(`memory of each host: ${path.rssMegabytes().map((megabytes) => megabytes.toFixed(0)).join(", ")} MB (at most 500)`)
  await pool.end()
  await pools.reference.end()
  await path.stop()
} finally {
  await server.destroy()
}
