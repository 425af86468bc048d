import * as memory from "@overa/adapter-memory"
import { layerBookDocuments, layerDatabase, layerOperationStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bookDocumentsContract } from "../src/ports/BookDocuments.contract.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

bookDocumentsContract("PostgreSQL", () => ({
  layer: Layer.mergeAll(layerBookDocuments, layerOperationStore, layerUnresolvedOperations).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: async (organizationId) => {
    await registerOrganization(await database.client(), organizationId)
  }
}))

bookDocumentsContract("memory", () => ({
  layer: Layer.mergeAll(memory.layerBookDocuments, memory.layerOperationStore, memory.layerUnresolvedOperations).pipe(Layer.provide(memory.MemoryOperations.layer)),
  register: () => Promise.resolve()
}))

describe("the statements of months' books", () => {
  it("keep the rules of rows that are split over servers", async () => {
    assert.deepStrictEqual(await (await Promise.all([...recorder.statements].filter((sql) => /advances as materialized|bytes_before|order by sdc_time, created_at|status = 'REJECTED'/.test(sql)).map(splitOffences))).flat(), [])
  })
})
