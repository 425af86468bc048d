import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { type Concluded, type Conclusion, OperationStore, type Reservation, type Reserved, type StoreUnavailable } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Schedule } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type PostgresServer, startPostgresServer } from "../src/support/postgresServer.ts"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgresServer("crash", { durable: true })
})
afterAll(() => server.destroy())

interface Sale {
  readonly reservation: Reservation
  readonly conclusion: Conclusion
}

const mintSale = (): Sale => {
  const operation = sampleOperation(mintPlace())
  return { reservation: sampleReservation(operation), conclusion: signed(operation) }
}

/** What a host does while the database is away: the same commit again, whatever became of the one before. */
const untilStored = <A>(commit: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Effect.retry(commit, { times: 400, schedule: Schedule.spaced("25 millis") })

const sell = Effect.fnUntraced(function*(sale: Sale) {
  const store = yield* OperationStore
  const reserved: Reserved = yield* untilStored(store.reserve(sale.reservation))
  const concluded: Concluded = yield* untilStored(store.conclude(sale.conclusion))
  return { reserved: reserved._tag, concluded: concluded._tag }
})

describe("PostgreSQL is killed under load, twice", () => {
  it("whatever was acknowledged is there, whole and once", async () => {
    const url = server.url("postgres")
    const database = layerDatabase({ url: Redacted.make(url), applicationName: "crash", statementTimeoutMillis: 3_000 })
    const runtime = ManagedRuntime.make(Layer.provideMerge(layerOperationStore({ patienceMillis: 4_000 }), database))
    await runtime.runPromise(migrate())
    const acknowledged: Array<Sale> = []
    const answers = new Set<string>()
    let crashes = 0
    const customer = async () => {
      while (acknowledged.length < 1_200) {
        const sale = mintSale()
        const answer = await runtime.runPromise(sell(sale))
        answers.add(`${answer.reserved} ${answer.concluded}`)
        acknowledged.push(sale)
      }
    }
    const killings = async () => {
      for (const moment of [300, 700]) {
        while (acknowledged.length < moment) await new Promise((resolve) => setImmediate(resolve))
        await server.crashAndRestart()
        crashes += 1
      }
    }
    await Promise.all([killings(), ...Array.from({ length: 48 }, customer)])
    await runtime.dispose()

    assert.strictEqual(crashes, 2)
    assert.deepStrictEqual([...answers], ["Reserved Applied"])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `select o.operation_id, o.status, o.invoice_number, o.answer_text,
         (select count(*)::int from transitions t where t.organization_id = o.organization_id and t.operation_id = o.operation_id) as transitions,
         (select count(*)::int from attempts a where a.organization_id = o.organization_id and a.operation_id = o.operation_id) as attempts
       from operations o`
    )
    await client.end()
    const stored = new Map(rows.map((row) => [row.operation_id, row]))
    for (const { conclusion } of acknowledged) {
      assert.deepStrictEqual(stored.get(conclusion.operationId), {
        operation_id: conclusion.operationId,
        status: "FISCALIZED",
        invoice_number: conclusion.answer?.pfr.invoiceNumber,
        answer_text: conclusion.answer?.text,
        transitions: 4,
        attempts: 1
      })
    }
    assert.strictEqual(rows.length, acknowledged.length)
  }, 120_000)
})
