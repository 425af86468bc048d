/**
 * The whole path of a sale of this checkout, compared with the one of another checkout (an earlier commit with its own `npm ci`), alternately on the
 * same machine and the same server, each with a database of its own.
 *
 *   node --conditions=@overa/source bench/sale-path-before.ts <other checkout> [seconds per round] [rounds]
 */
import { execFileSync } from "node:child_process"
import { join, resolve } from "node:path"
import pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { tellBounded } from "./support/figures.ts"
import { inTurns, measure, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const [other = ".", seconds = "5", rounds = "9"] = process.argv.slice(2)
const before = (await import(join(resolve(other), "bench/support/salePath.ts")) as { readonly salePath: typeof salePath }).salePath

const commitOf = (checkout: string): string => execFileSync("git", ["-C", checkout, "rev-parse", "--short=12", "HEAD"], { encoding: "utf8" }).trim()
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const server = await startPostgresServer("before", { durable: true })
try {
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  for (const name of ["now", "earlier"]) await client.query(`create database ${name}`)
  await client.end()
  const paths = [await salePath(server.url("now"), 1), await before(server.url("earlier"), 1)] as const
  // The engine compiles a host's code only after it has run often.
  for (const path of paths) await measure(path.sell(1), 64, 30)
  say(`${commitOf(".")} and ${commitOf(other)}, in turns: ${rounds} rounds of ${seconds} s`)
  for (const connections of [1, 64]) {
    const [now, earlier] = await inTurns(paths.map((path) => () => measure(path.sell(1), connections, Number(seconds))), Number(rounds))
    if (now === undefined || earlier === undefined) throw new Error("nothing was measured")
    say(`${connections} connections: ${Math.round(now.perSecond)}/s [${now.each.join(" ")}] p50 ${now.p50.toFixed(2)} ms | before ${Math.round(earlier.perSecond)}/s [${earlier.each.join(" ")}] p50 ${earlier.p50.toFixed(2)} ms`)
    const ratio = median(now.each.map((rate, round) => rate / (earlier.each[round] ?? Number.NaN)))
    tellBounded({ name: `sale path, ${connections} connections: rate / rate before`, value: ratio, better: "higher" }, 0.98)
  }
  for (const path of paths) await path.stop()
} finally {
  await server.destroy()
}
