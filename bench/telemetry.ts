/**
 * What being seen from outside costs a sale: a host that nobody observes, one whose metrics are read every second, and one that sends the traces of one
 * request in a hundred; alternately on the same machine and the same server, each with a database of its own. A host that traces every request is
 * shown without a bound.
 *
 *   node --conditions=@overa/source bench/telemetry.ts [seconds per round] [rounds]
 */
import pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { traceCollector } from "../contract-tests/src/support/traceCollector.ts"
import { tellBounded } from "./support/figures.ts"
import { inTurns, measure, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 9)
const connections = 16
const scrapeMillis = 1_000
/** A sale may cost so much of the unobserved one's rate. */
const leastRate = 0.98

type SalePath = Awaited<ReturnType<typeof salePath>>

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const scraping = (path: SalePath): NodeJS.Timeout =>
  setInterval(() => {
    for (const url of path.urls) void fetch(`${url}/metrics`).then((answer) => answer.text()).catch((error: unknown) => say(`metrics: ${String(error)}`))
  }, scrapeMillis)

/** A round of sales; the host's CPU of each in milliseconds is added to `cpu`. */
const roundOf = (path: SalePath, cpu: Array<number>, isScraped: boolean) => async () => {
  const [cpuBefore, soldBefore] = [path.cpuMillis(), path.sold()]
  const scraper = isScraped ? scraping(path) : undefined
  try {
    const measured = await measure(path.sell(1), connections, seconds)
    cpu.push((path.cpuMillis() - cpuBefore) / (path.sold() - soldBefore))
    return measured
  } finally {
    clearInterval(scraper)
  }
}

const server = await startPostgresServer("telemetry", { durable: true })
const collector = await traceCollector()
try {
  const traced = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const variants = [
    { name: "unobserved", settings: {}, isScraped: false, bound: null },
    { name: "metrics read every second", settings: {}, isScraped: true, bound: leastRate },
    { name: "one request in a hundred traced", settings: { ...traced, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.01" }, isScraped: false, bound: leastRate },
    { name: "every request traced", settings: traced, isScraped: false, bound: null }
  ] as const
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  const paths: Array<SalePath> = []
  for (const [index, { settings }] of variants.entries()) {
    await client.query(`create database observed_${index}`)
    paths.push(await salePath(server.url(`observed_${index}`), 1, { settings }))
  }
  await client.end()
  // The engine compiles a host's code only after it has run often.
  for (const path of paths) await measure(path.sell(1), 64, 20)
  say(`medians of ${rounds} rounds of ${seconds} s each, in turns; ${connections} connections`)
  const cpu = variants.map((): Array<number> => [])
  const runs = await inTurns(paths.map((path, index) => roundOf(path, cpu[index] ?? [], variants[index]?.isScraped ?? false)), rounds)
  const [plain] = runs
  if (plain === undefined) throw new Error("nothing was measured")
  for (const [index, { bound, name }] of variants.entries()) {
    const [run, own] = [runs[index], cpu[index] ?? []]
    if (run === undefined) continue
    say(`${name}: ${Math.round(run.perSecond)}/s [${run.each.join(" ")}] p50 ${run.p50.toFixed(2)} ms, host CPU ${median(own).toFixed(3)} ms a sale`)
    // Over consecutive rounds: a slow moment of the machine affects all.
    const cpuRatio = median(own.map((value, round) => value / (cpu[0]?.[round] ?? Number.NaN)))
    const rateRatio = median(run.each.map((rate, round) => rate / (plain.each[round] ?? Number.NaN)))
    say(`  host CPU / unobserved: ${cpuRatio.toFixed(3)}`)
    if (bound !== null) tellBounded({ name: `${name}: rate / unobserved`, value: rateRatio, better: "higher" }, bound)
    else say(`  rate / unobserved: ${rateRatio.toFixed(3)}`)
  }
  if (collector.received().length === 0) throw new Error("the collector received no trace")
  for (const path of paths) await path.stop()
} finally {
  await collector.stop()
  await server.destroy()
}
