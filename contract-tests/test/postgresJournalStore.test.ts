import { layerDatabase, layerJournalSealer, layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations, makeSecrets } from "@overa/adapter-postgres"
import { anyTime, JournalSealer, JournalStore, JournalUpkeep, OperationStore, readJournalFilter } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { journalStoreContract } from "../src/ports/JournalStore.contract.ts"
import { mintPlace, notSent, sampleAttempt, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

journalStoreContract("PostgreSQL", () => ({
  layer: Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: async (organizationId) => {
    await registerOrganization(await database.client(), organizationId)
  },
  takesIn: true
}))

describe("a stored document that cannot be read", () => {
  const filter = (query: Readonly<Record<string, string>>) =>
    Result.getOrThrow(readJournalFilter(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))))

  it("keeps no other out of the journal's tables, is raised, and is taken in when it is mended", async () => {
    const runtime = ManagedRuntime.make(
      Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore).pipe(
        Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
      )
    )
    const place = mintPlace()
    const client = await database.client()
    await registerOrganization(client, place.organizationId)
    const [first, poisoned, last] = ["прва", "кварна", "последња"].map((clientReference) =>
      sampleOperation(place, { content: { ...sampleContent(1), clientReference } }))
    if (first === undefined || poisoned === undefined || last === undefined) return assert.fail()
    await runtime.runPromise(Effect.flatMap(OperationStore, (store) =>
      Effect.forEach([first, poisoned, last], (operation) =>
        Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(signed(operation))))))
    const change = async (content: string) => {
      await client.query("set session_replication_role = replica")
      await client.query("update operations set content = $2 where operation_id = $1", [poisoned.id, content])
      await client.query("set session_replication_role = origin")
    }
    const { rows: [{ content }] } = await client.query("select content from operations where operation_id = $1", [poisoned.id])
    await change("{\"invoiceType\":\"NONE\"}")
    const advance = () => runtime.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit: 1_000 })))
    const found = (query: Readonly<Record<string, string>>) =>
      runtime.runPromise(Effect.flatMap(JournalStore, (journal) => journal.page(place, filter(query), { cursor: null, pageSize: 50 })))
    assert.strictEqual(await advance(), 3)
    assert.strictEqual(await advance(), 0)
    const raised = "select kind, detail from attention where operation_id = $1 and acknowledged_at is null"
    assert.lengthOf((await client.query(raised, [poisoned.id])).rows, 1)
    for (const operation of [first, last]) {
      assert.deepStrictEqual((await found({ text: operation.content.clientReference })).items.map(({ id }) => id), [operation.id])
    }
    // A report that would leave it out is refused, and so is the list that would have to show it.
    const turnover = runtime.runPromise(Effect.flatMap(JournalStore, (journal) => journal.turnover(place, { ...filter({}), groupBy: [] })))
    const why = (sent: Promise<unknown>) => sent.then(() => "answered", (error: { readonly operationId?: string }) => error.operationId)
    assert.strictEqual(await why(turnover), poisoned.id)
    assert.strictEqual(await why(found({})), poisoned.id)
    await change(content)
    assert.strictEqual(await advance(), 1)
    assert.deepStrictEqual((await found({ text: poisoned.content.clientReference })).items.map(({ id }) => id), [poisoned.id])
    assert.lengthOf((await found({})).items, 3)
    await runtime.dispose()
  })
})

describe("a document of a host whose clock was behind", () => {
  it("is found and counted once a worker has looked further back, though nothing newer came", async () => {
    const place = mintPlace()
    const client = await database.client()
    await registerOrganization(client, place.organizationId)
    const hosts = () =>
      ManagedRuntime.make(Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore).pipe(
        Layer.provide(recorder.layer),
        Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
      ))
    const [host, worker] = [hosts(), hosts()]
    const at = (hours: number) => DateTime.subtract(DateTime.nowUnsafe(), { hours })
    const sell = async (hours: number) => {
      const operation = sampleOperation(place, { createdAt: at(hours), updatedAt: at(hours) })
      await host.runPromise(Effect.flatMap(OperationStore, (store) =>
        Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(signed(operation)))))
      return operation.id
    }
    const advance = (by: typeof host) => by.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit: 1_000 })))
    const receipts = async () => {
      const [row] = await host.runPromise(Effect.flatMap(JournalStore, (journal) =>
        journal.turnover(place, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy: [] })))
      return row?.receipts
    }
    await sell(0)
    await advance(host)
    for (const hours of [0.5, 2, 600]) await sell(hours)
    // The usual pass has nothing newer to index.
    assert.strictEqual(await advance(host), 0)
    assert.strictEqual(await receipts(), 1)
    assert.strictEqual(await advance(worker), 3)
    assert.strictEqual(await receipts(), 4)
    assert.strictEqual(await advance(worker), 0)
    await Promise.all([host.dispose(), worker.dispose()])
  })
})

describe("a document that was not fiscalized when it was taken in", () => {
  it("does not stay in `journal_pending`, and is counted once in the turnover from the moment it is a receipt", async () => {
    const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
    const runtime = ManagedRuntime.make(
      Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerJournalSealer(secrets)).pipe(
        Layer.provide(recorder.layer),
        Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
      )
    )
    const place = mintPlace()
    const client = await database.client()
    await registerOrganization(client, place.organizationId)
    const advance = () => runtime.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit: 1_000 })))
    const seal = () => runtime.runPromise(Effect.flatMap(JournalSealer, (sealer) => sealer.seal({ limit: 1_000 })))
    const receipts = async () => {
      const [row] = await runtime.runPromise(Effect.flatMap(JournalStore, (journal) =>
        journal.turnover(place, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy: [] })))
      return row?.receipts ?? 0
    }
    const pending = async () => Number((await client.query("select count(*) from journal_pending where organization_id = $1", [place.organizationId])).rows[0].count)
    const [sent, found] = [sampleOperation(place), sampleOperation(place)]
    const store = <A>(use: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) => runtime.runPromise(Effect.flatMap(OperationStore, use))
    for (const operation of [sent, found]) {
      await store((it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude({ ...notSent(operation), nextCheckAfterMillis: null })))
    }
    await advance()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 0])
    await seal()
    const attempt = sampleAttempt(sent, { number: 2 })
    const transition = { from: "NOT_FISCALIZED", to: "SUBMITTING", at: attempt.startedAt, cause: "redriven", actor: "api:host-a", attempt: 2 } as const
    await store((it) => Effect.andThen(
      it.redrive({ operation: { ...sent, status: "SUBMITTING", attempt: 2 }, attempt, transition, leaseMillis: 50_000 }),
      it.conclude(signed(sent, { attempt: 2 }))
    ))
    await store((it) => it.conclude(signed(found)))
    assert.deepStrictEqual([await pending(), await receipts()], [0, 2])
    await advance()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 2])
    await seal()
    assert.deepStrictEqual([await pending(), await receipts()], [2, 2])
    await advance()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 2])
    await seal()
    assert.deepStrictEqual([await pending(), await receipts()], [0, 2])
    await runtime.dispose()
  })
})

describe("PostgreSQL: every statement of the journal fits a server that is split by organization", () => {
  it("names its organization, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => /journal_|turnover_|created_at desc/.test(sql))
    assert.isAtLeast(statements.length, 30)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })

  it("reads over all organizations only where the worker looks for its work", async () => {
    const found: Array<string> = []
    for (const sql of recorder.statements) if (await isReadOverAll(sql)) found.push(/ from (\w+)/.exec(sql)?.[1] ?? sql)
    // The tenants with documents not indexed, with documents stored late, with parts not summed, with receipts found since, with documents to seal, the
    // licences that ended without an event, and the tenants with changes or leaves that were not read for events.
    assert.deepStrictEqual(found.toSorted(), ["journal_horizons", "journal_horizons", "journal_pending", "licences", "noted_changes", "operations", "organizations"])
  })
})
