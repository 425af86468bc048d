import { layerDatabase, layerDeliveryOutbox, layerDeliveryStore, layerMailTransport } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { deliveriesContract } from "../src/ports/Deliveries.contract.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

deliveriesContract("PostgreSQL", () =>
  Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport(true)).pipe(
    Layer.provide(Layer.merge(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }), layerIdentifiers))
  ))
