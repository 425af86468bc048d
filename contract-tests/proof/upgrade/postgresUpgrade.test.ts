import { layerDatabase, layerOperationStore, layerUnresolvedOperations, migrate, migrations } from "@overa/adapter-postgres"
import { type Operation, type OperationHistory, OperationStore, UnresolvedOperations } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { booksOf, mintSale, type Sale } from "../crash/salesBooks.ts"
import { after, mintPlace, noAnswer, sampleConclusion, sampleAnswer, sampleOperation, sampleReservation, signed } from "../../src/support/sampleOperations.ts"
import { applied, attemptsOf, transitionsOf } from "../../src/support/storeSuite.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../../src/support/throwawayDatabase.ts"
import { concludeOne, concludeOneParameters } from "../../test/reference/concludeStatement.ts"
import { plainParameter } from "../../test/reference/plainParameter.ts"
import { reserveOne, reserveOneParameters } from "../../test/reference/reserveStatement.ts"

/** Operations in the database before the upgrade; five million need a machine of their own. */
const operationsBefore = Number(process.env["UPGRADE_OPERATIONS"] ?? 3_000)
const lastOfEarlierRelease = migrations.findIndex(({ name }) => name === "folded operations")

let database: ThrowawayDatabase
let pool: pg.Pool
let runtime: ManagedRuntime.ManagedRuntime<OperationHistory | OperationStore | UnresolvedOperations, unknown>

const migrateTo = (steps: typeof migrations) =>
  Effect.runPromise(Effect.provide(migrate(steps), layerDatabase({ url: Redacted.make(database.url), applicationName: "upgrade" })))

/** The earlier release's two commits, by its own statements. */
const earlier = {
  reserve: async ({ reservation }: Pick<Sale, "reservation">): Promise<boolean> =>
    (await pool.query({ name: "reserve", text: reserveOne, values: reserveOneParameters(reservation).map(plainParameter) })).rowCount === 1,
  conclude: async (conclusion: Sale["conclusion"]): Promise<boolean> =>
    (await pool.query({ name: "conclude", text: concludeOne, values: concludeOneParameters(conclusion).map(plainParameter) })).rowCount === 1
}

const present = <A>(body: (
  store: OperationStore["Service"],
  unresolved: UnresolvedOperations["Service"]
) => Effect.Effect<A, unknown, OperationHistory>): Promise<A> =>
  runtime.runPromise(Effect.gen(function*() {
    return yield* body(yield* OperationStore, yield* UnresolvedOperations)
  }))

/** Copies made by one statement. */
const copiesAtOnce = 50_000

/** Copies of one finished sale, with its rows in all three tables. Indexes are made again when the rows are there, and nothing checks the copies' references. */
const fill = async (model: Operation): Promise<void> => {
  const columns = async (table: string, left: string) => {
    const { rows } = await pool.query<{ readonly name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table]
    )
    return rows.map(({ name }) => name).filter((name) => !left.split(" ").includes(name)).join(", ")
  }
  const own = await columns("operations", "operation_id key invoice_number")
  const copy = `with copies as (
       insert into operations (operation_id, key, invoice_number, ${own})
       select gen_random_uuid(), key || n, invoice_number || '-' || n, ${own} from operations, generate_series($2::int, $3::int) n where operation_id = $1
       returning organization_id, operation_id),
     tried as (
       insert into attempts (operation_id, request_id, ${await columns("attempts", "operation_id request_id")})
       select c.operation_id, replace(c.operation_id::text, '-', ''), ${(await columns("attempts", "operation_id request_id")).replaceAll("organization_id", "a.organization_id")}
       from copies c, attempts a where a.operation_id = $1)
     insert into transitions (operation_id, ${await columns("transitions", "operation_id")})
     select c.operation_id, ${(await columns("transitions", "operation_id")).replaceAll("organization_id", "t.organization_id")}
     from copies c, transitions t where t.operation_id = $1`
  const { rows: indexes } = await pool.query<{ readonly name: string; readonly definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('operations'::regclass, 'attempts'::regclass, 'transitions'::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`
  )
  for (const { name } of indexes) await pool.query(`drop index ${name}`)
  let next = 1
  const session = async () => {
    const filling = await database.client()
    await filling.query("set session_replication_role = replica")
    while (next <= operationsBefore) {
      const first = next
      next += copiesAtOnce
      await filling.query(copy, [model.id, first, Math.min(first + copiesAtOnce - 1, operationsBefore)])
    }
  }
  await Promise.all([session(), session()])
  const making = await database.client()
  await making.query("set maintenance_work_mem = '1GB'")
  for (const { definition } of indexes) await making.query(definition)
  await making.query("analyze")
}

beforeAll(async () => {
  database = await throwawayDatabase({ migrated: false })
  pool = new pg.Pool({ connectionString: database.url, max: 8, statement_timeout: 8_000 })
  pool.on("error", () => undefined)
  await migrateTo(migrations.slice(0, lastOfEarlierRelease))
  const model = mintSale()
  await earlier.reserve(model)
  await earlier.conclude(model.conclusion)
  await fill(model.reservation.operation)
  runtime = ManagedRuntime.make(
    Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "upgraded" }))
    )
  )
}, 3_600_000)
afterAll(async () => {
  await runtime.dispose()
  await pool.end()
  await database.drop()
})

describe("an upgrade while sales run", () => {
  it("lets the earlier release sell through every step, and both releases side by side afterwards", async () => {
    const sold: Array<Sale> = []
    let slowest = 0
    const closing = new AbortController()
    const customer = async (sell: (sale: Sale) => Promise<unknown>) => {
      while (!closing.signal.aborted) {
        const sale = mintSale()
        const before = performance.now()
        await sell(sale)
        slowest = Math.max(slowest, performance.now() - before)
        sold.push(sale)
      }
    }
    const old = async (sale: Sale) => {
      assert.isTrue(await earlier.reserve(sale))
      assert.isTrue(await earlier.conclude(sale.conclusion))
    }
    const customers = Array.from({ length: 6 }, () => customer(old))
    const from = performance.now()
    const steps = await migrateTo(migrations)
    const during = sold.length
    const took = ((performance.now() - from) / 1_000).toFixed(1)
    if (operationsBefore > 100_000) {
      process.stdout.write(`${operationsBefore} operations: upgraded in ${took} s, ${during} sales beside it, the slowest ${slowest.toFixed(0)} ms\n`)
    }
    const mixed = Array.from({ length: 6 }, () =>
      customer((sale) => present((store) => Effect.andThen(store.reserve(sale.reservation), store.conclude(sale.conclusion)))))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    closing.abort()
    await Promise.all([...customers, ...mixed])
    assert.deepStrictEqual(steps, migrations.slice(lastOfEarlierRelease).map(({ number }) => number))
    assert.isAbove(during, 0)
    // A migration waits two seconds for a lock at most, and every sale behind it no longer.
    assert.isBelow(slowest, 6_000)
    for (const sale of [sold[0], sold.at(-1)]) {
      if (sale === undefined) continue
      const { id, organizationId } = sale.reservation.operation
      const transitions = await present(() => transitionsOf(sale.reservation.operation, id))
      assert.deepStrictEqual(transitions.map(({ from, to }) => `${from} ${to}`), ["null RECEIVED", "RECEIVED VALIDATED", "VALIDATED SUBMITTING", "SUBMITTING FISCALIZED"])
      assert.lengthOf(await present(() => attemptsOf(organizationId, id)), 1)
    }
    const stored = new Map((await booksOf(database.url, [])).stored.map((row) => [row.operation_id, row]))
    for (const { conclusion } of sold) assert.strictEqual(stored.get(conclusion.operationId)?.invoice_number, conclusion.answer?.pfr.invoiceNumber)
  }, 3_600_000)

  it("goes on with what the earlier release left unknown: its attempt is searched for, and found", async () => {
    const operation = sampleOperation(mintPlace())
    await earlier.reserve({ reservation: sampleReservation(operation) })
    await earlier.conclude(noAnswer(operation))
    const claims = await present((_, unresolved) =>
      unresolved.claimDue({ limit: 10_000, leaseMillis: 60_000, actor: "worker:new", hostId: "new", at: after(10) }))
    const claimed = claims.find((claim) => claim.operation.id === operation.id)
    assert.deepStrictEqual(claimed?.attempts.map(({ number, outcome }) => [number, outcome]), [[1, "NO_ANSWER"]])
    await present((_, unresolved) =>
      unresolved.recordSearch({
        organizationId: operation.organizationId, operationId: operation.id, at: after(20), actor: "worker:new", searches: [{ attempt: 1, finding: "NOTHING" }],
        nextCheckAfterMillis: 0
      }))
    const [searched] = await present(() => attemptsOf(operation.organizationId, operation.id))
    assert.isNotNull(searched?.lastSearch)
    const found = sampleConclusion(operation, { event: "found", attemptOutcome: "SIGNED", answer: sampleAnswer() })
    assert.strictEqual(applied(await present((store) => store.conclude(found))).status, "FISCALIZED")
    const [attempt] = await present(() => attemptsOf(operation.organizationId, operation.id))
    assert.strictEqual(attempt?.outcome, "SIGNED")
    const causes = (await present(() => transitionsOf(operation, operation.id))).map(({ cause }) => cause)
    assert.deepStrictEqual(causes, ["received", "validated", "reserved", "noAnswer", "searchStarted", "notFound", "found"])
  })

  it("understands what a host of the earlier release does to a newer document", async () => {
    const operation = sampleOperation(mintPlace())
    await present((store) => store.reserve(sampleReservation(operation)))
    await present((store) => store.conclude(noAnswer(operation)))
    assert.isTrue(await earlier.conclude(signed(operation)))
    const read = await present((store) => store.get(operation, operation.id))
    assert.strictEqual(read._tag === "Some" ? read.value.boundKey.body : "", operation.boundKey.body)
    const causes = (await present(() => transitionsOf(operation, operation.id))).map(({ cause }) => cause)
    assert.deepStrictEqual(causes, ["received", "validated", "reserved", "noAnswer", "signed"])
  })
})
