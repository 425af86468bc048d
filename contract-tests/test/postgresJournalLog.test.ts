import { layerDatabase, layerDeliveryOutbox, layerDeliveryStore, layerEventFeed, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { Layer, Redacted, Result } from "effect"
import { afterAll, beforeAll } from "vitest"
import { eventFeedContract } from "../src/ports/EventFeed.contract.ts"
import { journalLogContract } from "../src/ports/JournalLog.contract.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const start = () => {
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  return {
    layer: Layer.mergeAll(layerJournalLog(secrets), layerJournalSealer(secrets), layerOperationStore, layerEventFeed, layerDeliveryStore, layerDeliveryOutbox).pipe(
      Layer.provide(layerIdentifiers),
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
    ),
    register: async (organizationId: string) => {
      const client = await database.client()
      await registerOrganization(client, organizationId)
      await client.end()
    }
  }
}

journalLogContract("PostgreSQL", start)
eventFeedContract("PostgreSQL", start, 20)
