/**
 * How long a restart takes that finds 10 000 submissions of its own earlier process: until the API serves, and until the worker has searched the
 * V-PFR for the first of them. Limits: ready within 5 s, searching within 10 s of the restart.
 *
 *   node --conditions=@overa/source bench/restart-orphans.ts [operations]
 */
import { layerPostgres } from "@overa/adapter-postgres"
import { layerIdentifiers } from "@overa/adapter-identity"
import { type Attempt, type Operation, OperationStore } from "@overa/domain"
import { storeAndVpfr } from "@overa/sandbox"
import { DateTime, Effect, Layer } from "effect"
import pg from "pg"
import { CrashSite } from "../contract-tests/proof/crash/CrashSite.ts"
import { MortalProcess } from "../contract-tests/proof/crash/MortalProcess.ts"
import { sampleOperation, sampleReservation } from "../contract-tests/src/support/sampleOperations.ts"

const operations = Number(process.argv[2] ?? 10_000)
const bounds = { readySeconds: 5, searchingSeconds: 10 }
const port = 18_099

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const secondsSince = (from: number): number => (performance.now() - from) / 1_000

const elementOf = async (client: pg.Client): Promise<{ readonly id: Attempt["elementId"]; readonly jid: string }> => {
  const { rows: [row] } = await client.query(
    "select element_id as id, jid from security_elements where environment = 'sandbox' and status = 'ACTIVE' limit 1"
  )
  return row as { readonly id: Attempt["elementId"]; readonly jid: string }
}

/** Reserves submissions, as a host that then loses its power. */
const leaveOrphans = (site: CrashSite, element: { readonly id: Attempt["elementId"]; readonly jid: string }) => {
  const { credentialKey, databaseUrl, encryptionKeys } = storeAndVpfr(site.settings)
  const layer = layerPostgres({
    database: { url: databaseUrl, applicationName: "bench" },
    encryptionKeys,
    credentialKey,
    host: { hostId: "bench api", bootId: "earlier", configuredAdapters: new Set() }
  }).pipe(Layer.provide(layerIdentifiers))
  const place = {
    organizationId: site.seeded.organizationId as Operation["organizationId"],
    environment: "sandbox" as const,
    taxpayerId: site.seeded.sandbox.taxpayerId as Operation["taxpayerId"],
    businessPremiseId: site.seeded.sandbox.businessPremiseId as Operation["businessPremiseId"]
  }
  const reserve = Effect.gen(function*() {
    const store = yield* OperationStore
    const startedAt = yield* DateTime.now
    const attempt = { elementId: element.id, jid: element.jid, hostId: "bench api", bootId: "earlier", startedAt }
    const one = Effect.suspend(() => store.reserve(sampleReservation(sampleOperation(place), { attempt, leaseMillis: 3_600_000 })))
    yield* Effect.all(Array.from({ length: operations }, () => one), { concurrency: 256, discard: true })
  })
  return Effect.runPromise(reserve.pipe(Effect.provide(layer)))
}

const countOf = async (client: pg.Client, where: string): Promise<number> => {
  const { rows: [row] } = await client.query(`select count(*)::int as count from ${where}`)
  return (row as { readonly count: number }).count
}

const site = await CrashSite.open()
const processes: Array<MortalProcess> = []
try {
  const client = new pg.Client({ connectionString: site.settings.databaseUrl })
  await client.connect()
  await leaveOrphans(site, await elementOf(client))
  say(`${await countOf(client, "operations where status = 'SUBMITTING'")} submissions of an earlier boot`)
  const from = performance.now()
  processes.push(await MortalProcess.start({ role: "api", variables: site.variables("bench api", port) }))
  const ready = secondsSince(from)
  say(`API serves after ${ready.toFixed(2)} s (bound ${bounds.readySeconds} s); still SUBMITTING: ${await countOf(client, "operations where status = 'SUBMITTING'")}`)
  processes.push(await MortalProcess.start({ role: "worker", variables: site.variables("bench worker", port) }))
  while (await countOf(client, "operations where first_search_at is not null") === 0 && secondsSince(from) < 60) await new Promise((resolve) => setImmediate(resolve))
  const searching = secondsSince(from)
  say(`first search after ${searching.toFixed(2)} s (bound ${bounds.searchingSeconds} s)`)
  await client.end()
  process.exitCode = ready <= bounds.readySeconds && searching <= bounds.searchingSeconds ? 0 : 1
} finally {
  await Promise.all(processes.map((host) => host.kill()))
  await site.close()
}
