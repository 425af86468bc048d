import { layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { journalStoreContract } from "../src/ports/JournalStore.contract.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

journalStoreContract("PostgreSQL", () => ({
  layer: Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore).pipe(
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: async (organizationId) => {
    const client = await database.client()
    await client.query("insert into organizations values ($1, 'Продавница', now())", [organizationId])
  },
  takesIn: true
}))
