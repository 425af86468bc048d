import { OperationStore } from "@overa/domain"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { panelsOf } from "../src/support/dashboardFiles.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const place = mintPlace()

const stored = Effect.gen(function*() {
  const store = yield* OperationStore
  for (const outcomeOf of [noAnswer, signed]) {
    const operation = sampleOperation(place)
    yield* store.reserve(sampleReservation(operation))
    yield* store.conclude(outcomeOf(operation))
  }
})

const panels = panelsOf("postgres").flatMap(({ queries, title }) => queries.map((sql) => [title, sql] as const))

const asGrafanaSends = (sql: string): string =>
  sql.replaceAll("${organization:sqlstring}", `'${place.organizationId}'`).replaceAll("${environment:sqlstring}", `'${place.environment}'`).replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 between '2000-01-01' and '2100-01-01'")

it("every query of the dashboard of one organization is answered with what is stored, and nothing of another one", async () => {
  await Effect.runPromise(Effect.provide(stored, postgresPorts(database.url)))
  const client = await database.client()
  await client.query("insert into attention (organization_id, operation_id, kind, detail, raised_at) select organization_id, operation_id, 'FOREIGN_ANSWER', 'a test', now() from operations limit 1")
  expect(panels).not.toEqual([])
  for (const [title, sql] of panels) {
    expect((await client.query(asGrafanaSends(sql))).rows.length, title).toBeGreaterThan(0)
    const another = asGrafanaSends(sql).replaceAll(place.organizationId, "00000000-0000-4000-8000-000000000000")
    expect((await client.query(another)).rows, title).toEqual([])
  }
})
