import { acquireHostLock, layerDatabase, layerOperationStore, layerUnresolvedOperations, PgDatabase } from "@overa/adapter-postgres"
import { type Operation, OperationStore, StoreUnavailable, UnresolvedOperations } from "@overa/domain"
import { Effect, Exit, Layer, ManagedRuntime, Option, Redacted, Scope } from "effect"
import { createServer } from "node:net"
import type pg from "pg"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { FaultyLine } from "../src/support/FaultyLine.ts"
import { after, mintPlace, noAnswer, sampleAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

type Ports = OperationStore | UnresolvedOperations | PgDatabase
type Runtime = ManagedRuntime.ManagedRuntime<Ports, unknown>

let database: ThrowawayDatabase
let client: pg.Client
const runtimes: Array<Runtime> = []
const lines: Array<FaultyLine> = []

const host = (
  options: { readonly url?: string; readonly statementTimeoutMillis?: number; readonly name?: string; readonly connections?: number } = {}
): Runtime => {
  const url = Redacted.make(options.url ?? database.url)
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(
      Layer.provideMerge(layerDatabase({
        url,
        applicationName: options.name ?? "faults",
        connectTimeoutMillis: 2_000,
        maxKeyedConnections: options.connections ?? 16,
        statementTimeoutMillis: options.statementTimeoutMillis ?? 8_000
      }))
    )
  )
  runtimes.push(runtime)
  return runtime
}

const openLine = async (): Promise<{ readonly line: FaultyLine; readonly url: string }> => {
  const address = new URL(database.url)
  const line = await FaultyLine.open(Number(address.port))
  lines.push(line)
  address.port = String(line.port)
  return { line, url: address.toString() }
}

const using = <A>(runtime: Runtime, body: (store: OperationStore["Service"]) => Effect.Effect<A, unknown, Ports>): Promise<A> =>
  runtime.runPromise(Effect.flatMap(Effect.service(OperationStore), body))

const failure = async (promise: Promise<unknown>): Promise<StoreUnavailable> => {
  const outcome = await promise.then(() => "no failure", (cause: unknown) => cause)
  if (!(outcome instanceof StoreUnavailable)) assert.fail(`expected StoreUnavailable, was ${String(outcome)}`)
  return outcome
}

const rowsOf = async (sql: string, params: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await client.query(sql, [...params])).rows

/** How many transitions the operations' histories hold. */
const linesOf = async (column: "operation_id" | "organization_id", id: string): Promise<number> => {
  const [row] = await rowsOf(`select sum(length(history) - length(replace(history, E'\\n', '')))::int as lines from operations where ${column} = $1`, [id])
  return Number(row?.["lines"])
}

const statusOf = async (operation: Operation): Promise<unknown> =>
  (await rowsOf("select status from operations where operation_id = $1", [operation.id]))[0]?.["status"]

/** Resolves once the host knows whether the tables are split over servers; until then every commit is a statement of its own. */
const sharesStatements = (runtime: Runtime): Promise<void> =>
  runtime.runPromise(Effect.gen(function*() {
    const { isSplit } = yield* PgDatabase
    while (isSplit() === undefined) yield* Effect.sleep("10 millis")
  }))

/** Resolves once a statement of the named host waits for a lock. */
const waitsForLock = async (name: string): Promise<void> => {
  const query = "select pid from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'"
  while ((await rowsOf(query, [name])).length === 0) await new Promise((resolve) => setImmediate(resolve))
}

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
})
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.dispose()))
  await Promise.all(lines.splice(0).map((line) => line.close()))
})
afterAll(() => database.drop())

describe("one key, many hands", () => {
  it("a thousand parallel requests on two hosts reserve one operation", async () => {
    const place = mintPlace()
    const { boundKey } = sampleOperation(place)
    const hosts = [host(), host()]
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) =>
      using(hosts[index % 2] ?? host(), (store) => store.reserve(sampleReservation(sampleOperation(place, { boundKey }))))))
    assert.strictEqual(answers.filter((answer) => answer._tag === "Reserved").length, 1)
    const ids = new Set(answers.flatMap((answer) => (answer._tag === "KeyTaken" ? [answer.existing.id] : [])))
    assert.strictEqual(ids.size, 1)
    const stored = await rowsOf("select operation_id from operations where organization_id = $1", [place.organizationId])
    assert.deepStrictEqual(stored, [{ operation_id: [...ids][0] }])
    assert.strictEqual(await linesOf("organization_id", place.organizationId), 3)
  })

  it("one bad row among many that are stored at once harms no other", async () => {
    const place = mintPlace()
    const answer = sampleAnswer()
    const operations = Array.from({ length: 40 }, () => sampleOperation(place))
    const runtime = host()
    const concluded = await using(runtime, (store) =>
      Effect.gen(function*() {
        const first = sampleOperation(place)
        yield* store.reserve(sampleReservation(first))
        yield* store.conclude(signed(first, { answer }))
        yield* Effect.forEach(operations, (operation) => store.reserve(sampleReservation(operation)), { concurrency: "unbounded" })
        return yield* Effect.forEach(
          operations,
          (operation, index) => store.conclude(index === 20 ? signed(operation, { answer }) : signed(operation)),
          { concurrency: "unbounded" }
        )
      }))
    assert.deepStrictEqual(
      concluded.map(({ _tag }) => _tag),
      operations.map((_, index) => (index === 20 ? "NumberTaken" : "Applied"))
    )
  })
})

describe("what the store says when it cannot", () => {
  it("a refused connection: certainly not committed", async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer()
      probe.listen(0, "127.0.0.1", () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
    const address = new URL(database.url)
    address.port = String(port)
    const runtime = host({ url: address.toString() })
    const operation = sampleOperation(mintPlace())
    assert.strictEqual((await failure(using(runtime, (store) => store.reserve(sampleReservation(operation))))).committed, "no")
    assert.strictEqual((await failure(using(runtime, (store) => store.get(operation, operation.id)))).committed, "no")
  })

  it("a backend killed in the middle of the second commit: unknown, then the same conclusion again is applied", async () => {
    const operation = sampleOperation(mintPlace())
    const runtime = host({ name: "killed" })
    await using(runtime, (store) => store.reserve(sampleReservation(operation)))
    const blocker = await database.client()
    await blocker.query("begin")
    await blocker.query("select 1 from operations where operation_id = $1 for update", [operation.id])
    const conclusion = signed(operation)
    const concluding = failure(using(runtime, (store) => store.conclude(conclusion)))
    await waitsForLock("killed")
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed'")
    assert.strictEqual((await concluding).committed, "unknown")
    await blocker.query("rollback")
    assert.strictEqual(await statusOf(operation), "SUBMITTING")
    const again = await using(runtime, (store) => store.conclude(conclusion))
    assert.strictEqual(again._tag, "Applied")
  })

  it("a line cut after the first commit: unknown, the operation is there, and reserving again neither doubles nor denies it", async () => {
    const { line, url } = await openLine()
    const runtime = host({ url })
    const operation = sampleOperation(mintPlace())
    await registerOrganization(client, operation.organizationId)
    const reservation = sampleReservation(operation)
    await using(runtime, (store) => store.reserve(sampleReservation(sampleOperation(mintPlace()))))
    line.deaf = true
    const reserving = failure(using(runtime, (store) => store.reserve(reservation)))
    while ((await statusOf(operation)) === undefined) await new Promise((resolve) => setImmediate(resolve))
    line.cut()
    line.deaf = false
    assert.strictEqual((await reserving).committed, "unknown")
    assert.deepStrictEqual(await using(runtime, (store) => store.reserve(reservation)), { _tag: "Reserved" })
    assert.strictEqual(await linesOf("operation_id", operation.id), 3)
  })

  it("a line cut after the second commit: unknown, and the repeated conclusion is applied without being written twice", async () => {
    const { line, url } = await openLine()
    const runtime = host({ url })
    for (const conclude of [signed, noAnswer]) {
      const operation = sampleOperation(mintPlace())
      await registerOrganization(client, operation.organizationId)
      await using(runtime, (store) => store.reserve(sampleReservation(operation)))
      const conclusion = conclude(operation)
      line.deaf = true
      const concluding = failure(using(runtime, (store) => store.conclude(conclusion)))
      while ((await statusOf(operation)) === "SUBMITTING") await new Promise((resolve) => setImmediate(resolve))
      line.cut()
      line.deaf = false
      assert.strictEqual((await concluding).committed, "unknown")
      const again = await using(runtime, (store) => store.conclude(conclusion))
      assert.strictEqual(again._tag, "Applied")
      assert.strictEqual(await linesOf("operation_id", operation.id), 4)
    }
  })

  it("a database that says nothing does not keep its callers, and who waited for a connection knows that nothing was sent", async () => {
    const { line, url } = await openLine()
    const runtime = host({ url, statementTimeoutMillis: 500, connections: 4 })
    await using(runtime, (store) => store.reserve(sampleReservation(sampleOperation(mintPlace()))))
    line.mute = true
    const operations = Array.from({ length: 20 }, () => sampleOperation(mintPlace()))
    const started = performance.now()
    const answers = await Promise.all(operations.map(async (operation, index) => {
      // The first is sent at once and the second after a little; the others come when both are in flight, and are queued.
      await new Promise((resolve) => setTimeout(resolve, Math.min(index, 2) * 100))
      return failure(using(runtime, (store) => store.reserve(sampleReservation(operation))))
    }))
    // Half a second, two more for a silent network, and five in which the driver closes a connection.
    assert.isBelow(performance.now() - started, 9_000)
    const committed = answers.map((answer) => answer.committed)
    assert.include(committed, "no")
    for (const [index, answer] of committed.entries()) {
      if (answer === "no") assert.isUndefined(await statusOf(operations[index] ?? sampleOperation(mintPlace())))
    }
  })

  it("what was given up is never sent: sales refused while the table was locked are not in it afterwards", async () => {
    const runtime = host({ statementTimeoutMillis: 500, connections: 4 })
    await sharesStatements(runtime)
    await using(runtime, (store) => store.reserve(sampleReservation(sampleOperation(mintPlace()))))
    const blocker = await database.client()
    await blocker.query("begin")
    await blocker.query("lock table operations in access exclusive mode")
    const place = mintPlace()
    const operations = Array.from({ length: 40 }, () => sampleOperation(place))
    const answers = await Promise.all(operations.map((operation) => failure(using(runtime, (store) => store.reserve(sampleReservation(operation))))))
    await blocker.query("rollback")
    assert.deepStrictEqual([...new Set(answers.map((answer) => answer.committed))], ["no"])
    // Whatever the server was still processing has finished once it accepts the next sale.
    await using(runtime, (store) => store.reserve(sampleReservation(sampleOperation(mintPlace()))))
    assert.deepStrictEqual(await rowsOf("select status from operations where organization_id = $1", [place.organizationId]), [])
  })

  it("a value that cannot be written fails its own commit and nothing else", async () => {
    const runtime = host()
    const broken = sampleReservation(sampleOperation(mintPlace()))
    const unwritable = { ...broken, operation: { ...broken.operation, createdAt: "yesterday" as unknown as Operation["createdAt"] } }
    const good = Array.from({ length: 5 }, () => sampleReservation(sampleOperation(mintPlace())))
    const exits = await Promise.all([unwritable, ...good].map((reservation) =>
      runtime.runPromiseExit(Effect.flatMap(Effect.service(OperationStore), (store) => store.reserve(reservation)))))
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, true, true, true, true])
  })

  it("two transactions that block each other both get through, one of them on a later try", async () => {
    const runtime = host()
    const operations = [sampleOperation(mintPlace()), sampleOperation(mintPlace())]
    await using(runtime, (store) => Effect.forEach(operations, (operation) => store.reserve(sampleReservation(operation))))
    const [first, second] = operations.map(({ id }) => id)
    let meeting = 0
    const gates: Array<() => void> = []
    const bothHere = Effect.promise(() =>
      new Promise<void>((resolve) => {
        meeting += 1
        gates.push(resolve)
        if (meeting >= 2) for (const open of gates.splice(0)) open()
      }))
    const lockBoth = (from: string | undefined, to: string | undefined) =>
      Effect.flatMap(Effect.service(PgDatabase), (db) => {
        let tries = 0
        return Effect.as(
          db.transaction((tx) =>
            Effect.gen(function*() {
              tries += 1
              yield* tx.query("select 1 from operations where operation_id = $1 for update", [from])
              if (tries === 1) yield* bothHere
              yield* tx.query("select 1 from operations where operation_id = $1 for update", [to])
            })),
          0
        ).pipe(Effect.map(() => tries))
      })
    const tries = await Promise.all([runtime.runPromise(lockBoth(first, second)), runtime.runPromise(lockBoth(second, first))])
    // The transaction that was repeated may conflict once more with the other one before that one commits.
    assert.isAtLeast(Math.max(...tries), 2)
    assert.isAtMost(Math.max(...tries), 6)
  })
})

describe("a host that starts again", () => {
  it("knows whether it is the only one of its name", async () => {
    const runtime = host()
    const acquire = (scope: Scope.Scope) => runtime.runPromise(Effect.provideService(acquireHostLock("host-z"), Scope.Scope, scope))
    const [first, second, third] = await Promise.all([Scope.make(), Scope.make(), Scope.make()].map((scope) => Effect.runPromise(scope)))
    if (first === undefined || second === undefined || third === undefined) return assert.fail("no scopes")
    assert.isTrue(await acquire(first))
    assert.isFalse(await acquire(second))
    await Effect.runPromise(Scope.close(first, Exit.void))
    assert.isTrue(await acquire(third))
    await Effect.runPromise(Effect.all([Scope.close(second, Exit.void), Scope.close(third, Exit.void)]))
  })

  it("ends ten thousand leases of its earlier boot in less than five seconds and finds them due, oldest first", async () => {
    const runtime = host()
    const model = sampleOperation(mintPlace())
    await using(runtime, (store) => store.reserve(sampleReservation(model, { attempt: { hostId: "host-many" } })))
    await client.query(
      `insert into operations (organization_id, operation_id, environment, taxpayer_id, premise_id, client_id, key_role, key, key_target,
         key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type, client_reference, cashier_id,
         total_amount, created_at, status, revision, attempt, lease_until, updated_at, history,
         request_id, element_id, jid, sender_host, sender_boot, started_at)
       select organization_id, gen_random_uuid(), environment, taxpayer_id, premise_id, client_id, key_role, key || n, key_target,
         key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type, client_reference, cashier_id,
         total_amount, created_at + n * interval '1 second', status, revision, attempt, lease_until, updated_at, history,
         request_id, element_id, jid, sender_host, sender_boot, started_at
       from operations, generate_series(1, 10000) n where operation_id = $1`,
      [model.id]
    )
    const started = performance.now()
    const [ended, claims] = await runtime.runPromise(Effect.flatMap(Effect.service(UnresolvedOperations), (unresolved) =>
      Effect.gen(function*() {
        const count = yield* unresolved.endLeasesOfEarlierBoots({ hostId: "host-many", bootId: "boot-2" }, "api:host-many", after(1))
        const due = yield* unresolved.claimDue({ limit: 100, leaseMillis: 60_000, actor: "worker:w", hostId: "w", at: after(2) })
        return [count, due] as const
      })))
    assert.isBelow(performance.now() - started, 5_000)
    assert.strictEqual(ended, 10_001)
    assert.lengthOf(claims, 100)
    const [oldest] = await using(runtime, (store) => Effect.map(store.get(model, model.id), Option.toArray))
    assert.strictEqual(oldest?.status, "RECONCILING")
  })
})
