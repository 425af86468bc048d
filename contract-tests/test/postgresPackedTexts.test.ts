import { layerDatabase, layerOperationStore, migrate, migrations } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { withClient } from "../src/support/withClient.ts"

// Whether this server was built with LZ4 decides what is expected of it: the embedded one was not, those of Debian and of the containers were
// (`npm run postgres-versions -- --installed`).
let database: ThrowawayDatabase
let hasLz4: boolean

const sale = () => {
  const plain = sampleOperation(mintPlace())
  const operation = { ...plain, content: sampleContent(10) }
  const conclusion = signed(operation)
  const answer = conclusion.answer
  if (answer === null) throw new Error("a signed sale has an answer")
  // Long enough to be kept beside the row.
  const text = answer.text.replace("======", "=".repeat(40).concat("\r\nХлеб бели\r\n").repeat(80))
  return { operation, conclusion: { ...conclusion, answer: { ...answer, text } } }
}
type Sale = ReturnType<typeof sale>

const atDatabase = () => layerDatabase({ url: Redacted.make(database.url), applicationName: "packed texts" })

const sell = ({ conclusion, operation }: Sale) =>
  Effect.runPromise(Effect.provide(
    Effect.gen(function*() {
      const store = yield* OperationStore
      yield* store.reserve(sampleReservation(operation))
      return yield* store.conclude(conclusion)
    }),
    Layer.provide(layerOperationStore, atDatabase())
  ))

const before = sale()
const after = sale()

beforeAll(async () => {
  database = await throwawayDatabase({ migrated: false })
  await Effect.runPromise(Effect.provide(migrate(migrations.filter(({ name }) => name !== "packed texts")), atDatabase()))
  await sell(before)
  await Effect.runPromise(Effect.provide(migrate(), atDatabase()))
  await sell(after)
  hasLz4 = await withClient(database.url, (client) => client.query("create temporary table tried (text text compression lz4)").then(() => true, () => false))
})
afterAll(() => database.drop())

const rowsOf = <Row extends object>(sql: string, params: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Row>> =>
  withClient(database.url, async (client) => (await client.query<Row>(sql, [...params])).rows)

describe("large texts are compressed by a server that has LZ4", () => {
  it("the columns of a sale's texts say so, or are as they were before", async () => {
    const rows = await rowsOf<{ readonly name: string }>(
      `select attname as name, attcompression as compression, attstorage as storage from pg_attribute
       where attrelid = 'operations'::regclass and attname in ('content', 'answer_text', 'answer_facts', 'key_body', 'key_body_packed')`
    )
    const packed = hasLz4 ? { compression: "l", storage: "x" } : { compression: "", storage: "e" }
    const expected = ["answer_facts", "answer_text", "content", "key_body"].map((name) => ({ name, ...packed }))
    const compressedByTheHost = { name: "key_body_packed", compression: "", storage: "x" }
    assert.deepStrictEqual(rows.toSorted((one, other) => one.name < other.name ? -1 : 1), [...expected, compressedByTheHost])
  })

  it("what was stored before stays as it was stored; what is stored now takes less than half", async () => {
    const stored = (operation: Sale["operation"]) =>
      rowsOf<{ readonly method: string | null; readonly bytes: number }>(
        `select pg_column_compression(answer_text) as method, pg_column_size(answer_text) + pg_column_size(content) as bytes
         from operations where operation_id = $1`,
        [operation.id]
      )
    const [[plain], [packed]] = await Promise.all([stored(before.operation), stored(after.operation)])
    assert.strictEqual(plain?.method, null)
    assert.strictEqual(packed?.method, hasLz4 ? "lz4" : null)
    if (hasLz4) assert.isBelow(packed?.bytes ?? Infinity, (plain?.bytes ?? 0) / 2)
    else assert.strictEqual(packed?.bytes, plain?.bytes)
  })

  it.each([["before", before], ["after", after]] as const)("the answer of a sale %s is read bit for bit", async (_when, { conclusion, operation }) => {
    const [row] = await rowsOf<{ readonly text: string }>("select answer_text as text from operations where operation_id = $1", [operation.id])
    assert.strictEqual(row?.text, conclusion.answer.text)
  })
})
