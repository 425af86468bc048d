/**
 * What the settings of Node's heap are worth: hosts with different ones sell in turns on one machine and one server. Prints each one's memory (before the
 * first request, after a warm-up, after each number of connections), its rate beside the first one's, and its percentiles.
 *
 *   node --conditions=@overa/source bench/heap.ts [seconds per round, 3] [rounds, 7] [setting …]
 *
 * A setting is `[source:]<young>/<growing>[/<arenas>]`: MB of each half of the young generation, percent by which the old one may grow before it is collected, and
 * the most arenas of the C library; `64/100` is 64 MB, doubling, as many arenas as it likes. A host is a bundle, as in the image; `source:` runs the sources. Without any,
 * the image's and some others.
 */
import pg from "pg"
import { heapArguments } from "../contract-tests/src/support/hostProcess.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { inTurns, measure, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const [seconds = "3", rounds = "7", ...chosen] = process.argv.slice(2)
const settings = chosen.length > 0 ? chosen : ["source:64/100", "64/100/2", "32/100/2", "32/50/2", "16/50/2"]
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const argumentsOf = (setting: string): ReadonlyArray<string> => {
  const [young, growing] = setting.replace("source:", "").split("/")
  const others = heapArguments().filter((argument) => !/semi-space|heap-growing/.test(argument))
  return [...others, `--min-semi-space-size=${young}`, `--max-semi-space-size=${young}`, `--heap-growing-percent=${growing}`]
}

const variablesOf = (setting: string): Readonly<Record<string, string>> => {
  const [, , arenas] = setting.split("/")
  return { MALLOC_ARENA_MAX: arenas ?? "" }
}

const optionsOf = (setting: string) =>
  ({ settings: variablesOf(setting), nodeArguments: argumentsOf(setting), runs: setting.startsWith("source:") ? "source" : "bundle" }) as const

const server = await startPostgresServer("heap", { durable: true })
try {
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  for (const at of settings.keys()) await client.query(`create database heap_${at}`)
  await client.end()
  const hosts: Array<{ readonly setting: string; readonly path: Awaited<ReturnType<typeof salePath>> }> = []
  for (const [at, setting] of settings.entries()) hosts.push({ setting, path: await salePath(server.url(`heap_${at}`), 1, optionsOf(setting)) })
  const sayMemory = (when: string): void => say(`${when}: ${hosts.map(({ path, setting }) => `${setting} ${path.rssMegabytes()[0]?.toFixed(0)} MB`).join(", ")}`)
  sayMemory("before the first request")
  // The engine compiles a host's code only after it has run often.
  for (const { path } of hosts) await measure(path.sell(1), 64, 20)
  sayMemory("after a warm-up")
  for (const connections of [1, 64, 256]) {
    const measured = await inTurns(hosts.map(({ path }) => () => measure(path.sell(1), connections, Number(seconds))), Number(rounds))
    for (const [at, { each, p50, p99, perSecond }] of measured.entries()) {
      const ratio = median(each.map((rate, round) => rate / (measured[0]?.each[round] ?? Number.NaN)))
      say(`${String(connections).padStart(3)} connections, ${settings[at]?.padEnd(14)}: ${Math.round(perSecond)}/s, ${ratio.toFixed(2)} of the first; p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
    }
    sayMemory(`after ${connections} connections`)
  }
  for (const { path } of hosts) await path.stop()
} finally {
  await server.destroy()
}
