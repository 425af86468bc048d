/**
 * The journal's log: how long `journal verify` takes, how late transitions are sealed under load, and what sealing costs the two commits of a sale.
 *
 *   node --conditions=@overa/source bench/journal-log.ts verify [leaves]          # 1 000 000 by default; the limit is 60 s
 *   node --conditions=@overa/source bench/journal-log.ts lag [sales/s] [seconds]  # 500, 60: p99 of the lag at most 10 s
 *   node --conditions=@overa/source bench/journal-log.ts path [seconds per round] # 5: rounds without index and sealer, with the index, with both
 */
import { layerDatabase, layerJournalAudit, layerJournalSealer, layerOperationStore, makeSecrets, migrate } from "@overa/adapter-postgres"
import { JournalAudit, JournalSealer, OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { mintSale } from "./support/bareCommits.ts"
import { tellFigure } from "./support/figures.ts"
import { measure, measured, median } from "./support/load.ts"

const [mode = "verify", first, second] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const pauseMillis = 2_000

type Services = OperationStore | JournalSealer | JournalAudit

/** A worker is a process of its own; it is started with the database and the keys of the benchmark, and seals until it is stopped. */
const sealerMode = "sealer"
const given = mode === sealerMode ? { url: first ?? "", keys: second ?? "" } : null
const server = given === null ? await startPostgresServer("journal-log", { durable: true }) : null
const url = given?.url ?? server?.url("postgres") ?? ""
const keys = given?.keys ?? `k1:${randomBytes(32).toString("base64")}`
const database = layerDatabase({ url: Redacted.make(url), applicationName: "bench" })
await Effect.runPromise(Effect.provide(migrate(), database))
const secrets = Result.getOrThrow(makeSecrets(Redacted.make(keys)))
const stores = Layer.mergeAll(layerOperationStore, layerJournalSealer(secrets), layerJournalAudit(secrets)).pipe(Layer.provide(database))
const runtime: ManagedRuntime.ManagedRuntime<Services, unknown> = ManagedRuntime.make(stores)
const client = new pg.Client({ connectionString: url })
await client.connect()
const place = mintPlace()
if (given === null) await client.query("insert into organizations values ($1, 'bench', now())", [place.organizationId])

const seal = () => runtime.runPromise(Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: 20_000 })))

const sell = async (): Promise<string> => {
  const { conclusion, reservation } = mintSale(place)
  await runtime.runPromise(Effect.gen(function*() {
    const store = yield* OperationStore
    yield* store.reserve(reservation)
    yield* store.conclude(conclusion)
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

const benchVerify = async (leaves: number): Promise<void> => {
  await fill(Math.ceil(leaves / 4))
  const sealingFrom = performance.now()
  for (let added = 1; added > 0;) added = await seal()
  const sealing = (performance.now() - sealingFrom) / 1_000
  say(`sealed ${leaves} leaves in ${sealing.toFixed(1)} s: ${Math.round(leaves / sealing)}/s`)
  const from = performance.now()
  const reports = await runtime.runPromise(Effect.flatMap(Effect.service(JournalAudit), (audit) => audit.verify))
  const taken = (performance.now() - from) / 1_000
  const compared = reports.reduce((sum, report) => sum + report.leaves, 0)
  const findings = reports.flatMap((report) => report.findings)
  if (findings.length > 0) throw new Error(`findings: ${JSON.stringify(findings.slice(0, 3))}`)
  say(`verified ${compared} leaves in ${taken.toFixed(1)} s: ${Math.round(compared / taken)}/s, ${Math.round(process.memoryUsage.rss() / 1_048_576)} MB`)
  tellFigure({ name: "journal log: seconds to verify a million leaves", value: (taken / compared) * 1_000_000, better: "lower" })
}

const benchLag = async (perSecond: number, seconds: number): Promise<void> => {
  const committed = new Map<string, number>()
  const lags: Array<number> = []
  const stop = new AbortController()
  const selling = new Set<Promise<unknown>>()
  const sealing = (async () => {
    for (let index = 0; !stop.signal.aborted || committed.size > 0;) {
      await seal()
      const at = performance.now()
      const { rows } = await client.query<{ readonly operation_id: string; readonly end: string }>(
        "select operation_id, (first_index + leaves)::text as end from journal_log_entries where organization_id = $1 and first_index >= $2 order by first_index",
        [place.organizationId, index]
      )
      for (const { end, operation_id: id } of rows) {
        index = Number(end)
        const since = committed.get(id)
        if (since !== undefined) lags.push(at - since)
        committed.delete(id)
      }
      await setTimeout(pauseMillis)
    }
  })()
  const from = performance.now()
  let sold = 0
  while (performance.now() - from < seconds * 1_000) {
    for (const due = ((performance.now() - from) / 1_000) * perSecond; sold < due; sold += 1) {
      const sale = sell().then((id) => committed.set(id, performance.now())).finally(() => selling.delete(sale))
      selling.add(sale)
    }
    await setTimeout(5)
  }
  await Promise.all(selling)
  stop.abort()
  await sealing
  const { p50, p99 } = measured(lags, seconds * 1_000)
  say(`${sold} sales at ${perSecond}/s: sealed after ${Math.round(p50)} ms (p50), ${Math.round(p99)} ms (p99)`)
  tellFigure({ name: `journal log: sealing lag p99 at ${perSecond}/s, ms`, value: p99, better: "lower" })
}

const index = "operations_unsealed"

const benchPath = async (seconds: number): Promise<void> => {
  const { rows: [definition] } = await client.query<{ readonly text: string }>("select indexdef as text from pg_indexes where indexname = $1", [index])
  const rates = { without: [] as Array<number>, indexed: [] as Array<number>, sealing: [] as Array<number> }
  const round = async (into: Array<number>, sealingToo: boolean) => {
    const sealer = sealingToo ? fork(fileURLToPath(import.meta.url), [sealerMode, url, keys], { execArgv: ["--conditions=@overa/source"] }) : null
    // It reports when it has started.
    if (sealer !== null) await once(sealer, "message")
    into.push((await measure(async () => void (await sell()), 64, seconds)).perSecond)
    if (sealer === null) return
    sealer.kill()
    await once(sealer, "exit")
  }
  await measure(async () => void (await sell()), 64, 2)
  for (let at = 0; at < 5; at += 1) {
    await client.query(`drop index if exists ${index}`)
    await round(rates.without, false)
    await client.query(definition?.text ?? "")
    await round(rates.indexed, false)
    for (let added = 1; added > 0;) added = await seal()
    await round(rates.sealing, true)
  }
  const ratio = (ours: ReadonlyArray<number>) => median(ours.map((rate, at) => rate / (rates.without[at] ?? rate)))
  say(`two commits, 64 at once: ${rates.without.map(Math.round).join(" ")}/s without, ${rates.indexed.map(Math.round).join(" ")}/s with the index, ${rates.sealing.map(Math.round).join(" ")}/s while sealing`)
  tellFigure({ name: "journal log: two commits with the index / without", value: ratio(rates.indexed), better: "higher" })
  tellFigure({ name: "journal log: two commits while sealing / without", value: ratio(rates.sealing), better: "higher" })
}

try {
  if (mode === "verify") await benchVerify(Number(first ?? 1_000_000))
  else if (mode === "lag") await benchLag(Number(first ?? 500), Number(second ?? 60))
  else if (mode === "path") await benchPath(Number(first ?? 5))
  else if (mode === sealerMode) {
    process.send?.("sealing")
    for (;;) {
      await seal()
      await setTimeout(pauseMillis)
    }
  } else throw new Error(`verify, lag or path, not ${mode}`)
} finally {
  await client.end()
  await runtime.dispose()
  await server?.destroy()
}
