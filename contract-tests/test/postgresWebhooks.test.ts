import {
  layerDatabase, layerEventFeed, layerJournalSealer, layerOperationStore, layerWebhookOutbox, layerWebhookStore, makeSecrets
} from "@overa/adapter-postgres"
import { Layer, Redacted, Result } from "effect"
import { afterAll, beforeAll } from "vitest"
import { webhooksContract } from "../src/ports/Webhooks.contract.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

webhooksContract("PostgreSQL", () => {
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  return {
    layer: Layer.mergeAll(layerJournalSealer(secrets), layerOperationStore, layerEventFeed, layerWebhookStore(secrets), layerWebhookOutbox({ secrets, isConfigured: false })).pipe(
      Layer.provide(layerIdentifiers),
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
    ),
    register: async (organizationId: string) => {
      const client = await database.client()
      await registerOrganization(client, organizationId)
      await client.end()
    }
  }
})
