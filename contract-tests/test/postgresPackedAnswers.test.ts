import { layerDatabase, layerOperationStore, migrate, migrations, PgDatabase } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { packAnswer } from "../../adapters/postgres/src/rows/packedAnswer.ts"
import { wholeAnswers } from "../src/support/answerTexts.ts"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { withClient } from "../src/support/withClient.ts"

/** `fresh`: made by this release. `upgraded`: it had an organization when this release came. */
let databases: { readonly fresh: ThrowawayDatabase; readonly upgraded: ThrowawayDatabase }

const [answer] = fc.sample(wholeAnswers, { numRuns: 1, seed: 1 })
const text = answer?.text ?? assert.fail("no answer")

const sale = () => {
  const operation = sampleOperation(mintPlace())
  const conclusion = signed(operation)
  return { operation, conclusion: { ...conclusion, answer: conclusion.answer === null ? null : { ...conclusion.answer, text } } }
}
type Sale = ReturnType<typeof sale>

/** In a process that knows how answers are stored here. */
const at = <A, E>({ url }: ThrowawayDatabase, effect: Effect.Effect<A, E, OperationStore>) => {
  const known = Effect.gen(function*() {
    const { packsAnswers } = yield* PgDatabase
    while (packsAnswers() === undefined) yield* Effect.sleep("10 millis")
  })
  const layer = Layer.provideMerge(layerOperationStore, layerDatabase({ url: Redacted.make(url), applicationName: "packed answers" }))
  return Effect.runPromise(Effect.provide(Effect.andThen(known, effect), layer))
}

const migrateTo = ({ url }: ThrowawayDatabase, steps = migrations) =>
  Effect.runPromise(Effect.provide(migrate(steps), layerDatabase({ url: Redacted.make(url), applicationName: "packed answers" })))

const rowsOf = <Row extends object>({ url }: ThrowawayDatabase, sql: string, params: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Row>> =>
  withClient(url, async (client) => (await client.query<Row>(sql, [...params])).rows)

const sell = async (database: ThrowawayDatabase, { conclusion, operation }: Sale) => {
  const stored = await at(database, OperationStore.use((store) =>
    Effect.andThen(store.reserve(sampleReservation(operation)), Effect.andThen(store.conclude(conclusion), store.get(operation, operation.id)))))
  const [row] = await rowsOf<{ readonly stored: string }>(database, "select answer_text as stored from operations where operation_id = $1", [operation.id])
  return { ...row, read: Option.getOrThrow(stored).answer?.text }
}

beforeAll(async () => {
  const [fresh, upgraded] = [await throwawayDatabase(), await throwawayDatabase({ migrated: false })]
  databases = { fresh, upgraded }
  await migrateTo(upgraded, migrations.filter(({ name }) => name !== "packed answers"))
  await rowsOf(upgraded, "insert into organizations values (gen_random_uuid(), 'Продавница', now())")
  await migrateTo(upgraded)
}, 120_000)
afterAll(async () => {
  await databases.fresh.drop()
  await databases.upgraded.drop()
})

describe("PostgreSQL: an answer without what its link repeats", () => {
  it("is stored so in a database that this release made, and read whole", async () => {
    const { read, stored } = await sell(databases.fresh, sale())
    assert.strictEqual(stored, packAnswer(text))
    assert.notStrictEqual(stored, text)
    assert.strictEqual(read, text)
  })

  it("is read whole by a process that stores whole answers itself, as before it has asked the database", async () => {
    const sold = sale()
    const { stored } = await sell(databases.fresh, sold)
    const read = await Effect.runPromise(Effect.provide(
      OperationStore.use((store) => store.get(sold.operation, sold.operation.id)),
      Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(databases.fresh.url), applicationName: "packed answers" }))
    ))
    assert.notStrictEqual(stored, text)
    assert.strictEqual(Option.getOrThrow(read).answer?.text, text)
  })

  it("is stored whole where an earlier release has written: its hosts could not read it", async () => {
    const { read, stored } = await sell(databases.upgraded, sale())
    assert.deepStrictEqual([stored, read], [text, text])
  })
})
