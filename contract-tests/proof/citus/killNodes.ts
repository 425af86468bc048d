import { execSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { layerDatabase, layerOperationStore } from "@overa/adapter-postgres"
import { OperationStore, type StoreUnavailable } from "@overa/domain"
import { Effect, Exit, Layer, ManagedRuntime, Redacted } from "effect"
import { booksOf, mintSale, type Sale, sell } from "../crash/salesBooks.ts"
import { databaseOn, dropDatabase, makeDatabase, type Nodes, withClient } from "./cluster.ts"

interface Commands {
  readonly kill: string
  readonly start: string
}

const run = (command: string, node: URL): void => void execSync(command.replaceAll("{port}", node.port), { stdio: "ignore" })

type Runtime = ManagedRuntime.ManagedRuntime<OperationStore, unknown>

/** The organizations that can sell at this moment. */
const whoSells = async (runtime: Runtime, sales: ReadonlyArray<Sale>) => {
  const tried = await Promise.all(sales.map((sale) =>
    runtime.runPromiseExit(Effect.flatMap(Effect.service(OperationStore), (store) => store.reserve(sale.reservation)))))
  return new Set(sales.filter((_, index) => tried[index]?._tag === "Success").map((sale) => sale.conclusion.organizationId))
}

/** The organizations whose rows are on a server, according to the extension. */
const livingOn = (url: string, port: string, sales: ReadonlyArray<Sale>): Promise<Set<string>> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ readonly id: string }>(
      `select id from unnest($1::uuid[]) as o (id)
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('operations', id)
       join pg_dist_node n on n.groupid = p.groupid where n.nodeport = $2::int`,
      [sales.map((sale) => sale.conclusion.organizationId), port]
    )
    return new Set(rows.map((row) => row.id))
  })

interface Ledger {
  readonly acknowledged: Array<Sale>
  readonly troubles: Map<string, number>
}

const customer = async (runtime: Runtime, ledger: Ledger, closing: AbortSignal): Promise<void> => {
  const onTrouble = (error: StoreUnavailable) => ledger.troubles.set(error.committed, (ledger.troubles.get(error.committed) ?? 0) + 1)
  while (!closing.aborted) {
    const sale = mintSale()
    if (Exit.isSuccess(await runtime.runPromiseExit(sell(sale, onTrouble)))) ledger.acknowledged.push(sale)
  }
}

/** With one worker stopped, exactly the organizations on other workers continue to sell. */
const onlyOthersSell = async (runtime: Runtime, url: string, node: URL): Promise<boolean> => {
  const sales = Array.from({ length: 64 }, mintSale)
  const here = await livingOn(url, node.port, sales)
  const sells = await whoSells(runtime, sales)
  return sales.every(({ conclusion: { organizationId } }) => sells.has(organizationId) !== here.has(organizationId))
}

/**
 * Every server of the cluster is killed once while 16 shops sell. Nothing acknowledged is lost or doubled; while a worker is down, the organizations
 * on other workers sell and the others are refused.
 */
export const killNodes = async (nodes: Nodes, commands: Commands, say: (line: string) => void): Promise<boolean> => {
  const name = `overa_kill_${process.pid}`
  await dropDatabase(nodes, name)
  const url = await makeDatabase(nodes, name)
  const [coordinator, ...workers] = nodes
  const layer = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(url), applicationName: "kill", statementTimeoutMillis: 3_000 }))
  const runtime: Runtime = ManagedRuntime.make(layer)
  const ledger: Ledger = { acknowledged: [], troubles: new Map() }
  const closing = new AbortController()
  const customers = Array.from({ length: 16 }, () => customer(runtime, ledger, closing.signal))
  let fair = true
  for (const node of [...workers, coordinator]) {
    await setTimeout(2_000)
    const before = ledger.acknowledged.length
    run(commands.kill, node)
    await setTimeout(1_000)
    if (node !== coordinator) {
      const others = await onlyOthersSell(runtime, url, node)
      say(`${node.host} killed: ${ledger.acknowledged.length - before} sales since; exactly the organizations elsewhere sell: ${others}`)
      fair &&= others
    }
    run(commands.start, node)
  }
  await setTimeout(3_000)
  closing.abort()
  await Promise.all(customers)
  await runtime.dispose()
  const { expected, stored } = await booksOf(databaseOn(coordinator, name), ledger.acknowledged)
  const wanted = new Set(expected.map((row) => row.operation_id))
  // Reservations of the probes above stay open; they were not acknowledged sales.
  const kept = stored.filter((row) => wanted.has(row.operation_id)).map((row) => ({ ...row }))
  const isWhole = isDeepStrictEqual(kept, expected)
  say(`${ledger.acknowledged.length} sales acknowledged, whole and once: ${isWhole}; commits that failed: ${[...ledger.troubles].map(([kind, times]) => `${kind} ${times}`).join(", ")}`)
  await dropDatabase(nodes, name)
  return fair && isWhole && ledger.troubles.size > 0
}
