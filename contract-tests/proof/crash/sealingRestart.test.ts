import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type PostgresServer, startPostgresServer } from "../../src/support/postgresServer.ts"
import { mintPlace } from "../../src/support/sampleOperations.ts"
import { isConsistent, issued, registerOrganization, type SealingWorker, sealingWorker, verifiedCheckpoint } from "../../src/support/sealingStage.ts"
import { untilLocked } from "../../src/support/untilLocked.ts"

let server: PostgresServer
let worker: SealingWorker
let url: string

beforeAll(async () => {
  server = await startPostgresServer("sealing", { durable: true })
  url = server.url("postgres")
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(url), applicationName: "migration" })))
  worker = sealingWorker({ url }, "worker-one")
})
afterAll(async () => {
  await worker.close()
  await server.destroy()
})

const connected = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  // The server is killed while the connection is open.
  client.on("error", () => undefined)
  await client.connect()
  return client
}

/** The server may refuse connections for some moments after its restart. */
const soon = async <A>(work: () => Promise<A>): Promise<A> => {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return work()
}

describe("A database that is killed and started again while a log is sealed", () => {
  it.each(["journal_log_entries", "journal_checkpoints", "journal_log_positions"])(
    "before the worker wrote %s: checkpoints stay, nothing is half done, and the same worker then seals all of it once",
    async (table) => {
      const tenant = mintPlace()
      const client = await connected()
      await registerOrganization(client, tenant.organizationId)
      const issue = () => worker.run(Effect.forEach(Array.from({ length: 3 }), () => issued(tenant)))
      await issue()
      assert.strictEqual(await worker.seal(), 12)
      const before = await verifiedCheckpoint(worker, tenant)
      await issue()
      const holder = await connected()
      await holder.query(`begin; lock table ${table} in share row exclusive mode`)
      const dying = worker.seal().then(() => "sealed", () => "died")
      await untilLocked(client, "worker-one")
      await server.crashAndRestart()
      assert.strictEqual(await dying, "died")
      assert.deepStrictEqual(await soon(() => verifiedCheckpoint(worker, tenant)), before)
      assert.strictEqual(await soon(() => worker.seal()), 12)
      assert.strictEqual(await worker.seal(), 0)
      const after = await verifiedCheckpoint(worker, tenant)
      assert.strictEqual(after.size, 24)
      assert.isTrue(await isConsistent(worker, tenant, before, after))
    },
    60_000
  )
})
