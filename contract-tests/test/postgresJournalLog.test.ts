import { layerCosignatures, layerDatabase, layerDeliveryOutbox, layerDeliveryStore, layerEventFeed, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { Effect, Layer, Redacted, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as cosignatureStatements from "../../adapters/postgres/src/journal-log/cosignatureStatements.ts"
import { cosignaturesContract } from "../src/ports/Cosignatures.contract.ts"
import { eventFeedContract } from "../src/ports/EventFeed.contract.ts"
import { journalLogContract } from "../src/ports/JournalLog.contract.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { isReadOverAll, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const start = () => {
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  return {
    layer: Layer.mergeAll(layerJournalLog(secrets), layerJournalSealer(secrets), layerCosignatures, layerOperationStore, layerEventFeed, layerDeliveryStore, layerDeliveryOutbox).pipe(
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
cosignaturesContract("PostgreSQL", () => ({
  ...start(),
  aMinuteLater: (tenant) => Effect.promise(async () => {
    const client = await database.client()
    await client.query("update journal_witnessed set asked_at = asked_at - interval '61 seconds' where organization_id = $1", [tenant.organizationId])
    await client.end()
  })
}))

describe("the tables of cosignatures", () => {
  it.each(Object.entries(cosignatureStatements))("%s fits a database that is split by organization; only the search for logs reads all of them", async (name, sql) => {
    assert.deepStrictEqual(await splitOffences(sql), [])
    assert.strictEqual(await isReadOverAll(sql), name === "logsToShow")
  })

  it("only grow, whoever writes them", async () => {
    const client = await database.client()
    const { organizationId } = mintPlace()
    await registerOrganization(client, organizationId)
    await client.query("insert into journal_cosignatures values ($1, 'sandbox', 'w', 5, 'line')", [organizationId])
    await client.query("insert into journal_witnessed values ($1, 'sandbox', now(), 5, 'note')", [organizationId])
    const refusal = (sql: string): Promise<string> => client.query(sql, [organizationId]).then(() => "accepted", (cause: { readonly constraint?: string }) => String(cause.constraint))
    const tries: ReadonlyArray<readonly [string, string]> = [
      ["journal_cosignatures_only_grow", "update journal_cosignatures set size = 4 where organization_id = $1"],
      ["journal_cosignatures_only_grow", "update journal_cosignatures set witness = 'x' where organization_id = $1"],
      ["journal_cosignatures_kept", "delete from journal_cosignatures where organization_id = $1"],
      ["journal_witnessed_only_grow", "update journal_witnessed set size = 4 where organization_id = $1"],
      ["journal_witnessed_only_grow", "update journal_witnessed set size = null, note = null where organization_id = $1"],
      ["journal_witnessed_whole", "update journal_witnessed set note = null where organization_id = $1"],
      ["journal_witnessed_kept", "delete from journal_witnessed where organization_id = $1"],
      ["accepted", "update journal_cosignatures set size = 6 where organization_id = $1"],
      ["accepted", "update journal_witnessed set asked_at = now() where organization_id = $1"]
    ]
    for (const [constraint, sql] of tries) assert.strictEqual(await refusal(sql), constraint, sql)
  })
})
