import { layerDatabase, layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { journalStoreContract } from "../../src/ports/JournalStore.contract.ts"
import { registerOrganization } from "../../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

// `npm test` asks half of the questions in each state of the journal; here every filter and every report is asked in every state.
journalStoreContract("PostgreSQL", () => ({
  layer: Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations).pipe(
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: async (organizationId) => {
    await registerOrganization(await database.client(), organizationId)
  },
  takesIn: true
}), "everything")
