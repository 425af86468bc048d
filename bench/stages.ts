/**
 * Where a sale waits: the whole path with many connections, one request in ten traced, and each step's share of the time, as percentiles over the
 * requests; the bare commits beside it. Times between two steps are the host's own work and its waiting for the thread.
 *
 *   node --conditions=@overa/source bench/stages.ts [connections, 256] [hosts, 1] [seconds, 8]
 */
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { traceCollector } from "../contract-tests/src/support/traceCollector.ts"
import { bareCommits, barePool, mintSale } from "./support/bareCommits.ts"
import { fillLog } from "./support/fillLog.ts"
import { measure, type Measured } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const connections = Number(process.argv[2] ?? 256)
const hosts = Number(process.argv[3] ?? 1)
const seconds = Number(process.argv[4] ?? 8)
const share = 0.1

const say = (line: string): void => void process.stdout.write(`${line}\n`)

interface Span {
  readonly traceId: string
  readonly name: string
  readonly from: number
  readonly to: number
}

interface SentSpan {
  readonly traceId: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

interface Sent {
  readonly resourceSpans: ReadonlyArray<{ readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<SentSpan> }> }>
}

const millis = (nanos: string): number => Number(BigInt(nanos) / 1_000n) / 1_000

const spansIn = (body: string): ReadonlyArray<Span> =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans).map((span) => ({
    traceId: span.traceId,
    name: span.name,
    from: millis(span.startTimeUnixNano),
    to: millis(span.endTimeUnixNano)
  }))

const steps = ["authenticate", "read the body", "OperationStore.reserve", "TaxAuthority.submit", "OperationStore.conclude"] as const

/** The time of each step of one sale, and of what is between the steps; null where a step is missing. */
const stagesOf = (spans: ReadonlyArray<Span>): ReadonlyMap<string, number> | null => {
  const root = spans.find(({ name }) => name.startsWith("POST "))
  const found = steps.map((step) => spans.find(({ name }) => name === step))
  if (root === undefined || found.includes(undefined)) return null
  const stages = new Map<string, number>()
  let at = root.from
  for (const span of found as ReadonlyArray<Span>) {
    stages.set(`before ${span.name}`, span.from - at)
    stages.set(span.name, span.to - span.from)
    at = span.to
  }
  stages.set("answer", root.to - at)
  stages.set("the request, from its headers to its answer", root.to - root.from)
  return stages
}

const percentiles = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1).padStart(8)
  return [0.5, 0.9, 0.99, 1].map(at).join(" ")
}

const told = ({ p50, p99, perSecond }: Measured): string => `${Math.round(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, p99 / p50 ${(p99 / p50).toFixed(2)}`

const server = await startPostgresServer("stages", { durable: true })
const collector = await traceCollector()
try {
  const url = server.url("postgres")
  const settings = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: String(share) }
  const path = await salePath(url, hosts, { settings })
  const pool = barePool(url)
  const bare = bareCommits(pool)
  await measure(path.sell(hosts), 64, 30)
  await measure(() => bare(mintSale()), 16, 3)
  await fillLog(url)
  collector.forget()
  for (let round = 0; round < 3; round++) {
    say(`whole path, ${connections} connections, ${hosts === 1 ? "one host" : `${hosts} hosts`}: ${told(await measure(path.sell(hosts), connections, seconds))}`)
    say(`  bare commits: ${told(await measure(() => bare(mintSale()), connections, seconds))}`)
  }
  await new Promise((done) => setTimeout(done, 7_000))
  const sales = [...Map.groupBy(collector.bodies().flatMap(spansIn), ({ traceId }) => traceId).values()].map(stagesOf).filter((stages) => stages !== null)
  say(`\n${sales.length} traced sales, ms:${" ".repeat(44)}p50      p90      p99      max`)
  for (const name of sales[0]?.keys() ?? []) say(`${name.padEnd(52)}${percentiles(sales.map((stages) => stages.get(name) ?? 0))}`)
  await pool.end()
  await path.stop()
} finally {
  await collector.stop()
  await server.destroy()
}
