/**
 * The cost of the two commits of a sale on a running Citus cluster, compared with a single PostgreSQL of the same release on the same machine: the
 * released store, sales of eight organizations, measured alternately. `npm run citus -- --nodes … --single …` runs it.
 *
 * node --conditions=@overa/source bench/citus-commits.ts postgres://coordinator,postgres://worker,postgres://worker postgres://single [seconds per
 * point]
 */
import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { databaseOn, dropDatabase, makeDatabase, nodesFrom, withClient } from "../contract-tests/proof/citus/cluster.ts"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { mintSale } from "./support/bareCommits.ts"
import { inTurns, measure, median } from "./support/load.ts"

const [cluster = "", singleAddress = "", secondsAsked = "3"] = process.argv.slice(2)
const nodes = nodesFrom(cluster)
if (nodes === undefined || singleAddress === "") throw new Error("Name the servers of the cluster, the coordinator first, and a single server")
const single = new URL(singleAddress)
const seconds = Number(secondsAsked)
const name = `overa_bench_${process.pid}`
const places = Array.from({ length: 8 }, mintPlace)
const rounds = 3

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const storeAt = (url: string) =>
  ManagedRuntime.make(Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(url), applicationName: "bench" })))

type Runtime = ReturnType<typeof storeAt>

/** Sales of the organizations one after another. */
const seller = (runtime: Runtime) => {
  let next = 0
  return async (): Promise<void> => {
    const { conclusion, reservation } = mintSale(places[(next += 1) % places.length])
    const concluded = await runtime.runPromise(Effect.gen(function*() {
      const store = yield* OperationStore
      yield* store.reserve(reservation)
      return yield* store.conclude(conclusion)
    }))
    if (concluded._tag !== "Applied") throw new Error(`the store answered ${concluded._tag}`)
  }
}

const makeSingle = async (): Promise<string> => {
  await withClient(databaseOn(single, "postgres"), (client) => client.query(`create database ${name}`))
  const url = databaseOn(single, name)
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(url), applicationName: "bench" })))
  return url
}

const dropAll = async (): Promise<void> => {
  await dropDatabase(nodes, name)
  await withClient(databaseOn(single, "postgres"), (client) => client.query(`drop database if exists ${name} with (force)`))
}

try {
  const [split, alone] = [storeAt(await makeDatabase(nodes, name)), storeAt(await makeSingle())]
  const [onCluster, onOne] = [seller(split), seller(alone)]
  await measure(onCluster, 16, seconds)
  await measure(onOne, 16, seconds)
  say(`medians of ${rounds} rounds of ${seconds} s; a sale is two durable commits; ${nodes.length - 1} workers, ${places.length} organizations`)
  for (const concurrency of [1, 16, 64]) {
    const [many, one] = await inTurns([() => measure(onCluster, concurrency, seconds), () => measure(onOne, concurrency, seconds)], rounds)
    if (many === undefined || one === undefined) throw new Error("nothing was measured")
    const ratio = median(many.each.map((rate, round) => rate / (one.each[round] ?? Number.NaN)))
    say(
      `${String(concurrency).padStart(4)} at once: Citus ${Math.round(many.perSecond)}/s p50 ${many.p50.toFixed(1)} ms p99 ${many.p99.toFixed(1)} ms` +
        ` | one PostgreSQL ${Math.round(one.perSecond)}/s p50 ${one.p50.toFixed(1)} ms p99 ${one.p99.toFixed(1)} ms | ratio ${ratio.toFixed(2)}`
    )
  }
  await split.dispose()
  await alone.dispose()
} finally {
  await dropAll()
}
