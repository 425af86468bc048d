/**
 * The journal's log: how long `journal verify` takes, how late transitions are sealed under load, and what sealing costs the sales beside it.
 *
 *   node --conditions=@overa/source bench/journal-log.ts verify [leaves]          # 1 000 000 by default; the limit is 60 s
 *   node --conditions=@overa/source bench/journal-log.ts lag [sales/s] [seconds]  # 500, 60: p99 of the lag at most 10 s
 *   node --conditions=@overa/source bench/journal-log.ts beside [seconds per round] [rounds] [hosts] [connections]
 *     # 20, 4, a host for each core, 64: the whole path of a sale without and with the sealing worker, in turns; at least 0.98 is asked for
 */
import { layerDatabase, layerJournalAudit, layerJournalSealer, layerOperationStore, makeSecrets, migrate } from "@overa/adapter-postgres"
import { JournalAudit, JournalSealer, OperationStore, sealingRest } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { randomBytes } from "node:crypto"
import { availableParallelism } from "node:os"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { mintSale } from "./support/bareCommits.ts"
import { tellBounded } from "./support/figures.ts"
import { measure, measured, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"
import { sealerName, serverCpuMillis, startSealer } from "./support/sealer.ts"

const [mode = "verify", first, second, third, fourth] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

type Services = OperationStore | JournalSealer | JournalAudit

/** A worker is a process of its own; it is started with the database and the keys of the benchmark, and seals until it is stopped. */
const sealerMode = "sealer"
const given = mode === sealerMode ? { url: first ?? "", keys: second ?? "" } : null
const server = given === null ? await startPostgresServer("journal-log", { durable: true }) : null
const url = given?.url ?? server?.url("postgres") ?? ""
const keys = given?.keys ?? `k1:${randomBytes(32).toString("base64")}`
const database = layerDatabase({ url: Redacted.make(url), applicationName: given === null ? "bench" : sealerName })
await Effect.runPromise(Effect.provide(migrate(), database))
const secrets = Result.getOrThrow(makeSecrets(Redacted.make(keys)))
const stores = Layer.mergeAll(layerOperationStore, layerJournalSealer(secrets), layerJournalAudit(secrets)).pipe(Layer.provide(database))
const runtime: ManagedRuntime.ManagedRuntime<Services, unknown> = ManagedRuntime.make(stores)
const client = new pg.Client({ connectionString: url })
await client.connect()
const place = mintPlace()
if (given === null) await client.query("insert into organizations values ($1, 'bench', now())", [place.organizationId])

const leavesAtOnce = 8_000

/** One pass, as in the worker; returns how long the worker then rests. */
const seal = async () => {
  const from = performance.now()
  const { added, waitedMillis } = await runtime.runPromise(Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: leavesAtOnce })))
  const rest = sealingRest({ busyMillis: performance.now() - from, waitedMillis, more: added >= leavesAtOnce })
  return { added, waitedMillis, rest }
}

const sealAll = async (): Promise<void> => {
  while ((await seal()).added > 0);
}

const sell = async (): Promise<string> => {
  const { conclusion, reservation } = mintSale(place)
  await runtime.runPromise(Effect.gen(function*() {
    const store = yield* OperationStore
    yield* store.reserve(reservation)
    yield* store.conclude({ ...conclusion, at: yield* DateTime.now })
  }))
  return conclusion.operationId
}

/** Many documents, copied by the server from one that was sold. */
const fill = async (documents: number): Promise<void> => {
  const id = await sell()
  for (let made = 1; made < documents; made += 10_000) {
    await client.query(
      `insert into operations select (jsonb_populate_record(o, jsonb_build_object('operation_id', gen_random_uuid(), 'key', 'bench-key-' || n, 'invoice_number', 'BENCH-' || n))).*
       from operations o, generate_series($2::int, $3::int) as n where operation_id = $1`,
      [id, made, Math.min(made + 9_999, documents - 1)]
    )
  }
  await client.query("vacuum analyze operations")
}

/** The duration of some work, and its processor time per document. */
const timed = async <A>(documents: number, work: () => Promise<A>) => {
  const [from, cpu, serverBefore] = [performance.now(), process.cpuUsage(), await serverCpuMillis(client, "bench")]
  const value = await work()
  const { system, user } = process.cpuUsage(cpu)
  const server = (await serverCpuMillis(client, "bench")) - serverBefore
  const each = `${((user + system) / documents).toFixed(0)} µs of the program and ${((1_000 * server) / documents).toFixed(0)} µs of the server for each document`
  return { value, seconds: (performance.now() - from) / 1_000, each }
}

const benchVerify = async (leaves: number): Promise<void> => {
  const documents = Math.ceil(leaves / 4)
  await fill(documents)
  const sealing = await timed(documents, sealAll)
  say(`sealed ${leaves} leaves in ${sealing.seconds.toFixed(1)} s: ${Math.round(leaves / sealing.seconds)}/s, ${sealing.each}`)
  const verified = await timed(documents, () => runtime.runPromise(Effect.flatMap(Effect.service(JournalAudit), (audit) => audit.verify)))
  const compared = verified.value.reduce((sum, report) => sum + report.leaves, 0)
  const findings = verified.value.flatMap((report) => report.findings)
  if (findings.length > 0) throw new Error(`findings: ${JSON.stringify(findings.slice(0, 3))}`)
  say(`verified ${compared} leaves in ${verified.seconds.toFixed(1)} s: ${Math.round(compared / verified.seconds)}/s, ${verified.each}, ${Math.round(process.memoryUsage.rss() / 1_048_576)} MB`)
  tellBounded({ name: "journal log: seconds to verify a million leaves", value: (verified.seconds / compared) * 1_000_000, better: "lower" }, 60)
}

/** When each sale was committed, and how long it then waited to be sealed. The sealer may see a commit before its sale has its answer. */
class Lags {
  readonly millis: Array<number> = []
  private readonly committed = new Map<string, number>()
  private readonly sealedEarly = new Set<string>()

  get waiting(): number {
    return this.committed.size
  }

  commit(id: string): void {
    if (this.sealedEarly.delete(id)) this.millis.push(0)
    else this.committed.set(id, performance.now())
  }

  seal(id: string, at: number): void {
    const since = this.committed.get(id)
    if (since === undefined) this.sealedEarly.add(id)
    else this.millis.push(at - since)
    this.committed.delete(id)
  }
}

/** Seals like a worker until it is told to stop and nothing waits, and notes which sales were sealed. */
const sealUntil = async (stop: AbortSignal, lags: Lags): Promise<void> => {
  for (let index = 0; !stop.aborted || lags.waiting > 0;) {
    const { rest } = await seal()
    const at = performance.now()
    const { rows } = await client.query<{ readonly operation_id: string; readonly end: string }>(
      "select operation_id, (first_index + leaves)::text as end from journal_log_entries where organization_id = $1 and first_index >= $2 order by first_index",
      [place.organizationId, index]
    )
    for (const { end, operation_id: id } of rows) {
      index = Number(end)
      lags.seal(id, at)
    }
    await setTimeout(rest)
  }
}

const benchLag = async (perSecond: number, seconds: number): Promise<void> => {
  const lags = new Lags()
  const stop = new AbortController()
  const selling = new Set<Promise<unknown>>()
  const sealing = sealUntil(stop.signal, lags)
  const from = performance.now()
  let [begun, failed] = [0, 0]
  while (performance.now() - from < seconds * 1_000) {
    for (const due = ((performance.now() - from) / 1_000) * perSecond; begun < due; begun += 1) {
      const sale = sell().then((id) => lags.commit(id), () => (failed += 1)).finally(() => selling.delete(sale))
      selling.add(sale)
    }
    await setTimeout(5)
  }
  await Promise.all(selling)
  const elapsed = performance.now() - from
  stop.abort()
  await sealing
  const { p50, p99 } = measured(lags.millis, elapsed)
  say(`${begun - failed} sales, ${Math.round((1_000 * (begun - failed)) / elapsed)}/s of ${perSecond}/s asked, ${failed} failed: sealed after ${Math.round(p50)} ms (p50), ${Math.round(p99)} ms (p99)`)
  tellBounded({ name: `journal log: sealing lag p99 at ${perSecond}/s, ms`, value: p99, better: "lower" }, 10_000)
}

/** The figures of one round beside the sealer. */
interface Round {
  readonly perSecond: number
  readonly sold: number
  readonly sealed: number
  readonly workerMillis: number
  readonly serverMillis: number
}

const leavesSealed = async (): Promise<number> => Number((await client.query("select coalesce(sum(size), 0) as size from journal_logs")).rows[0].size)

type Path = Awaited<ReturnType<typeof salePath>>
type Sealer = Awaited<ReturnType<typeof startSealer>>

/** Rounds without and with the sealer in turns, after one of each that is not counted. Everything is sealed between them. */
const besideInTurns = async (path: Path, sealer: Sealer, rounds: number, round: () => Promise<{ readonly perSecond: number }>) => {
  const alone = async (): Promise<Round> => {
    const [soldBefore, sealedBefore, before] = [path.sold(), await leavesSealed(), await sealer.cpuMillis()]
    const { perSecond } = await round()
    const [sold, sealed, cpu] = [path.sold() - soldBefore, ((await leavesSealed()) - sealedBefore) / 4, await sealer.cpuMillis()]
    return { perSecond, sold, sealed, workerMillis: cpu.worker - before.worker, serverMillis: cpu.server - before.server }
  }
  const together = async (): Promise<Round> => {
    await sealer.work()
    const measuredRound = await alone()
    await sealer.rest()
    return measuredRound
  }
  const done: Array<{ readonly alone: Round; readonly together: Round }> = []
  for (let at = -1; at < rounds; at += 1) {
    const one = await alone()
    await sealAll()
    const other = await together()
    await sealAll()
    if (at >= 0) done.push({ alone: one, together: other })
  }
  return done
}

const tellBeside = (done: Awaited<ReturnType<typeof besideInTurns>>): void => {
  const total = (pick: (round: Round) => number) => done.reduce((sum, { together }) => sum + pick(together), 0)
  const sealed = total((round) => round.sealed)
  say(`${done.map(({ alone }) => Math.round(alone.perSecond)).join(" ")}/s alone, ${done.map(({ together }) => Math.round(together.perSecond)).join(" ")}/s with the sealing worker`)
  if (sealed > 0) say(
    `beside it ${Math.round((100 * sealed) / total(({ sold }) => sold))} % of the sales were sealed within their round; a document took ` +
      `${((1_000 * total(({ workerMillis }) => workerMillis)) / sealed).toFixed(0)} µs of the worker and ${((1_000 * total(({ serverMillis }) => serverMillis)) / sealed).toFixed(0)} µs of the server`
  )
  const ratio = median(done.map(({ alone, together }) => together.perSecond / alone.perSecond))
  tellBounded({ name: "journal log: sales with the sealing worker / without", value: ratio, better: "higher" }, 0.98)
}

const benchBeside = async (seconds: number, rounds: number, hosts: number, connections: number): Promise<void> => {
  const path = await salePath(url, hosts)
  try {
    const sealer = await startSealer(url, keys, client)
    try {
      say(`whole path, ${hosts} hosts, ${connections} connections, rounds of ${seconds} s in turns`)
      tellBeside(await besideInTurns(path, sealer, rounds, () => measure(path.sell(hosts), connections, seconds)))
    } finally {
      await sealer.stop()
    }
  } finally {
    await path.stop()
  }
}

/** The process of `startSealer`. */
const serveSealing = async (): Promise<void> => {
  let works = false
  process.on("message", (word) => {
    works = word === "work"
    process.send?.(word)
  })
  // A benchmark that ended early has no further use for it.
  process.on("disconnect", () => process.exit())
  process.send?.("ready")
  for (;;) await setTimeout(works ? (await seal()).rest : 50)
}

try {
  if (mode === "verify") await benchVerify(Number(first ?? 1_000_000))
  else if (mode === "lag") await benchLag(Number(first ?? 500), Number(second ?? 60))
  else if (mode === "beside") await benchBeside(Number(first ?? 20), Number(second ?? 4), Number(third ?? availableParallelism()), Number(fourth ?? 64))
  else if (mode === sealerMode) await serveSealing()
  else throw new Error(`verify, lag or beside, not ${mode}`)
} finally {
  await client.end()
  await runtime.dispose()
  await server?.destroy()
}
