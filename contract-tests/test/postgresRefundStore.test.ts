import { layerDatabase, layerOperationStore, layerRefundStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

refundStoreContract("PostgreSQL", () =>
  Layer.mergeAll(layerOperationStore, layerUnresolvedOperations, layerRefundStore).pipe(
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ))
