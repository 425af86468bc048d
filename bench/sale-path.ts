/**
 * The whole path of a sale — Koa, token, checks, first commit, mutual TLS to a minimal signer, second commit, answer — beside the two
 * bare commits it contains, in turns on the same machine and the same server; then with a signer that takes its time.
 *
 *   node --conditions=@overa/source bench/sale-path.ts [seconds per point] [rounds]
 */
import pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { bareCommits, mintSale } from "./support/bareCommits.ts"
import { inTurns, measure } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const seconds = Number(process.argv[2] ?? 3)
const rounds = Number(process.argv[3] ?? 3)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const server = await startPostgresServer("bench", { durable: true })
try {
  const url = server.url("postgres")
  const path = await salePath(url)
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const bare = bareCommits(pool)
  const commit = () => bare(mintSale())
  // A host's code is compiled where it proves hot, which takes it some ten thousand sales; hosts run for weeks.
  await measure(path.sell, 64, 15)
  await measure(commit, 16, seconds)
  say(`medians of ${rounds} rounds of ${seconds} s each, in turns`)
  for (const connections of [1, 64, 256]) {
    const cpuBefore = path.cpuMillis()
    const soldBefore = path.sold()
    const [whole, bar] = await inTurns([
      () => measure(path.sell, connections, seconds),
      () => measure(commit, connections, seconds)
    ], rounds)
    if (whole === undefined || bar === undefined) continue
    say(
      `${String(connections).padStart(4)} connections: whole path ${Math.round(whole.perSecond)}/s [${whole.each.join(" ")}] p50 ${whole.p50.toFixed(2)} ms p99 ${whole.p99.toFixed(1)} ms` +
        ` | bare commits ${Math.round(bar.perSecond)}/s [${bar.each.join(" ")}] p50 ${bar.p50.toFixed(2)} ms | rate ratio ${(whole.perSecond / bar.perSecond).toFixed(2)}, p50 ratio ${(whole.p50 / bar.p50).toFixed(2)}` +
        ` | host CPU ${((path.cpuMillis() - cpuBefore) / (path.sold() - soldBefore)).toFixed(2)} ms a sale`
    )
  }
  for (const delay of [300, 2_000]) {
    path.delay(delay)
    const slow = await measure(path.sell, 200, Math.max(seconds, (delay * 4) / 1_000), delay)
    say(`signer takes ${delay} ms, 200 in flight: ${Math.round(slow.perSecond)}/s, own overhead p50 ${(slow.p50 - delay).toFixed(1)} ms, p99 ${(slow.p99 - delay).toFixed(1)} ms`)
  }
  say(`memory of the host: ${path.rssMegabytes().toFixed(0)} MB (at most 500)`)
  await pool.end()
  await path.stop()
} finally {
  await server.destroy()
}
