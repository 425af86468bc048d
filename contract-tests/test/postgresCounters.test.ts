import { layerCounterWatch, layerDatabase } from "@overa/adapter-postgres"
import { CounterWatch } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { counterWatchContract } from "../src/ports/CounterWatch.contract.ts"
import { registerOrganization, sealingWorker } from "../src/support/sealingStage.ts"
import { throwawayDatabase } from "../src/support/throwawayDatabase.ts"

// The worker's sealing is what notes the counters; two workers check.
counterWatchContract("PostgreSQL", async () => {
  const database = await throwawayDatabase()
  const client = await database.client()
  const worker = sealingWorker(database, "worker")
  const watches = ["one", "two"].map((name) =>
    ManagedRuntime.make(layerCounterWatch.pipe(Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: name }))))
  )
  return {
    run: worker.run,
    register: async (organizationId) => void (await registerOrganization(client, organizationId)),
    note: worker.seal,
    check: () => Promise.all(watches.map((watch) => watch.runPromise(Effect.flatMap(CounterWatch, ({ check }) => check)))),
    gaps: async (organizationId) => {
      const raised = "select detail from attention where organization_id = $1 and kind = 'COUNTER_GAP' order by raised_at, detail"
      const { rows } = await client.query<{ readonly detail: string }>(raised, [organizationId])
      return rows.map(({ detail }) => detail)
    },
    kept: async (organizationId) => Number((await client.query("select count(*) from counter_spans where organization_id = $1", [organizationId])).rows[0].count),
    close: async () => {
      for (const watch of watches) await watch.dispose()
      await worker.close()
      await database.drop()
    }
  }
})
