import { layerDatabase, layerOperationStore, layerProformaTraining, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { proformaTrainingContract } from "../src/ports/ProformaTraining.contract.ts"
import { acknowledgeInPostgres } from "../src/support/acknowledgeInPostgres.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()
const host = () =>
  Layer.mergeAll(layerOperationStore, layerProformaTraining, layerUnresolvedOperations).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  )

proformaTrainingContract("PostgreSQL", host, acknowledgeInPostgres(() => database.url), host)

describe("PostgreSQL: every statement of proforma and training documents fits a server that is split by organization", () => {
  it("names its organization, locks nothing of several, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("proforma_training"))
    assert.isAtLeast(statements.length, 4)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})
