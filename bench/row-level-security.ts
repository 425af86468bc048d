/**
 * The cost of row-level security by organization for the two commits of a sale (docs/adr/0083). Three variants on one server, alternately, with 64
 * sales of 64 organizations in flight: without a policy; with a policy that compares `organization_id` with a list of organizations set for the role,
 * which protects nothing and is the cheapest possible policy; and with a setting of one organization for each commit, which a policy needs in order
 * to protect anything, and for which every sale needs a transaction of its own.
 *
 *   node --conditions=@overa/source bench/row-level-security.ts [seconds per point]
 */
import { grantRoles, layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { concludeParameters, concludeStatement } from "../adapters/postgres/src/operations/concludeStatement.ts"
import { reserveParameters, reserveStatement } from "../adapters/postgres/src/operations/reserve.ts"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { plainParameter } from "../contract-tests/test/reference/plainParameter.ts"
import { mintSale } from "./support/bareCommits.ts"
import { type Measured, measure, median } from "./support/load.ts"

const seconds = Number(process.argv[2] ?? 3)
const rounds = 5
const concurrency = 64
const places = Array.from({ length: concurrency }, () => mintPlace())
const organizations = places.map(({ organizationId }) => organizationId).join(",")
let turn = 0
const nextSale = () => mintSale(places[(turn += 1) % places.length])

const server = await startPostgresServer("row-level-security", { durable: true })
const owner = new pg.Client({ connectionString: server.url("postgres") })
await owner.connect()
await owner.query(`create role bench_hosts login password 'throwaway'`)
const urlAs = (role: string, database: string) => server.url(database).replace("//overa:", `//${role}:`)

const databaseWith = async (name: string, policy: string | null): Promise<string> => {
  await owner.query(`create database ${name}`)
  const layer = layerDatabase({ url: Redacted.make(server.url(name)), applicationName: "bench" })
  await Effect.runPromise(Effect.provide(Effect.andThen(migrate(), grantRoles({ hosts: "bench_hosts", reading: null })), layer))
  if (policy !== null) {
    const client = new pg.Client({ connectionString: server.url(name) })
    await client.connect()
    await client.query("alter table operations enable row level security")
    await client.query(`create policy own on operations to bench_hosts using (${policy}) with check (${policy})`)
    await client.end()
  }
  return urlAs("bench_hosts", name)
}

const ourStore = (url: string) => {
  const layer = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(url), applicationName: "bench" }))
  const runtime = ManagedRuntime.make(layer)
  const sell = Effect.fnUntraced(function*(store: OperationStore["Service"]) {
    const { conclusion, reservation } = nextSale()
    yield* store.reserve(reservation)
    const concluded = yield* store.conclude(conclusion)
    if (concluded._tag !== "Applied") return yield* Effect.die(new Error(`answered ${concluded._tag}`))
  })
  return { write: () => runtime.runPromise(Effect.flatMap(OperationStore, sell)), close: () => runtime.dispose() }
}

const oneByOne = (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  pool.on("error", () => undefined)
  const commit = async (organizationId: string, name: string, text: string, values: ReadonlyArray<unknown>) => {
    const client = await pool.connect()
    await client.query("begin")
    await client.query({ name: "setting", text: "select set_config('overa.organization', $1, true)", values: [organizationId] })
    const { rowCount } = await client.query({ name, text, values: values.map(plainParameter) })
    await client.query("commit")
    client.release()
    if (rowCount !== 1) throw new Error(`${name} changed ${rowCount} rows`)
  }
  const write = async () => {
    const { conclusion, reservation } = nextSale()
    const { organizationId } = reservation.operation
    await commit(organizationId, "reserve", reserveStatement, reserveParameters(reservation))
    await commit(organizationId, "conclude", concludeStatement, concludeParameters(conclusion))
  }
  return { write, close: () => pool.end() }
}

try {
  const listed = `organization_id = any (string_to_array(current_setting('overa.organizations'), ',')::uuid[])`
  await owner.query(`alter role bench_hosts set overa.organizations = '${organizations}'`)
  const ways = {
    "as it is": ourStore(await databaseWith("plain", null)),
    "a policy over a list": ourStore(await databaseWith("listed", listed)),
    "a setting for each commit": oneByOne(await databaseWith("single", `organization_id = current_setting('overa.organization')::uuid`))
  }
  for (const { write } of Object.values(ways)) await measure(write, concurrency, seconds)
  const runs = new Map<string, Array<Measured>>(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { write }] of Object.entries(ways)) runs.get(name)?.push(await measure(write, concurrency, seconds))
  }
  const base = runs.get("as it is") ?? []
  for (const [name, own] of runs) {
    const ratio = median(own.map((run, round) => run.perSecond / (base[round] ?? run).perSecond))
    const each = own.map((run) => Math.round(run.perSecond)).join(" ")
    process.stdout.write(`${name.padEnd(26)} ${ratio.toFixed(2)} of it as it is  [${each}] sales/s\n`)
  }
  for (const { close } of Object.values(ways)) await close()
} finally {
  await owner.end()
  await server.destroy()
}
