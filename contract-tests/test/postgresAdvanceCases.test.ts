import { layerAdvanceCases, layerDatabase, layerOperationStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import type { Operation } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { advanceCasesContract } from "../src/ports/AdvanceCases.contract.ts"
import { advanceClosingsContract } from "../src/ports/AdvanceClosings.contract.ts"
import { caseAfterClosingContract } from "../src/ports/caseAfterClosing.contract.ts"
import { givenUpClosingContract } from "../src/ports/givenUpClosing.contract.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()
const host = () =>
  Layer.mergeAll(layerOperationStore, layerUnresolvedOperations, layerAdvanceCases).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  )

advanceCasesContract("PostgreSQL", host, host)
advanceClosingsContract("PostgreSQL", host)
const attentionOf = ({ id, organizationId }: Operation) =>
  Effect.promise(async () => {
    const client = await database.client()
    try {
      const { rows } = await client.query<{ readonly kind: string; readonly detail: string }>(
        "select kind, detail from attention where organization_id = $1 and operation_id = $2", [organizationId, id]
      )
      return rows
    } finally {
      await client.end()
    }
  })
caseAfterClosingContract("PostgreSQL", host, attentionOf)
givenUpClosingContract("PostgreSQL", host, attentionOf)

describe("PostgreSQL: every statement of advance cases fits a server that is split by organization", () => {
  it("names its organization, locks nothing of several, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("advance_"))
    assert.isAtLeast(statements.length, 6)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})
