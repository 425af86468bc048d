import { layerDatabase, layerJournalSealer, layerJournalStore, layerJournalUpkeep, layerOperationStore, layerRecentDocuments, layerUnresolvedOperations, makeSecrets } from "@overa/adapter-postgres"
import { anyTime, Dinars, foundDocumentOf, type JournalFilter, JournalSealer, JournalStore, JournalUpkeep, noFilter, OperationStore, readJournalFilter, RecentDocuments, UnresolvedOperations } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Equal, Layer, ManagedRuntime, Option, Redacted, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { journalReportSizeContract } from "../src/ports/JournalReportSize.contract.ts"
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

const postgres = () => ({
  layer: Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  register: async (organizationId: string) => {
    await registerOrganization(await database.client(), organizationId)
  },
  takesIn: true
})

journalStoreContract("PostgreSQL", postgres)
journalReportSizeContract("PostgreSQL", postgres)

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

describe("entries that a host of an earlier release has added", () => {
  it("leave out nothing that is searched by amount or by a part of the number, before the worker has filled them and after", async () => {
    const runtime = ManagedRuntime.make(
      Layer.mergeAll(layerJournalStore, layerJournalUpkeep, layerOperationStore, layerRecentDocuments, layerUnresolvedOperations).pipe(
        Layer.provide(recorder.layer),
        Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
      )
    )
    const place = mintPlace()
    const client = await database.client()
    await registerOrganization(client, place.organizationId)
    const since = Date.now() - 3_600_000
    // More than are compared one by one, so that the oldest is found by the entries alone.
    const documents = Array.from({ length: 410 }, (_, at) => sampleOperation(place, { createdAt: DateTime.toUtc(DateTime.makeUnsafe(since + at)) }))
    const [oldest] = documents
    if (oldest === undefined) return assert.fail()
    const expensive = { ...oldest, content: { ...oldest.content, items: oldest.content.items.map((item) => ({ ...item, unitPrice: Dinars.make(BigDecimal.fromStringUnsafe("7777.70")) })) } }
    await runtime.runPromise(Effect.flatMap(OperationStore, (store) =>
      Effect.forEach([expensive, ...documents.slice(1)], (operation) => store.reserve(sampleReservation(operation)), { concurrency: 8 })))
    await runtime.runPromise(Effect.flatMap(OperationStore, (store) => store.conclude(signed(expensive))))
    const { rows: [{ invoice_number: number, total_amount: total }] } = await client.query("select invoice_number, total_amount from operations where operation_id = $1", [oldest.id])
    const advance = () => runtime.runPromise(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit: 100_000 })))
    const found = (filter: Partial<JournalFilter>) =>
      runtime.runPromise(Effect.flatMap(JournalStore, (journal) => journal.select(place, { ...noFilter, ...filter }, 50)))
    const assertFinds = async () => {
      const amount = BigDecimal.fromStringUnsafe(total)
      assert.deepStrictEqual(await found({ amount: { from: amount, to: amount } }), [oldest.id])
      assert.deepStrictEqual(await found({ text: number.slice(4, -1) }), [oldest.id])
    }
    const told = async () => {
      const ids = documents.map(({ id }) => id).toReversed()
      const shown = await runtime.runPromise(Effect.flatMap(RecentDocuments, (recent) => recent.found(place, ids)))
      const stored = await runtime.runPromise(Effect.flatMap(OperationStore, (store) => Effect.forEach(ids, (id) => store.get(place, id), { concurrency: 8 })))
      assert.isTrue(Equal.equals(shown, stored.map((it) => foundDocumentOf(Option.getOrThrow(it)))))
      assert.deepStrictEqual(await runtime.runPromise(Effect.flatMap(RecentDocuments, (recent) => recent.found(mintPlace(), ids))), [])
      return shown.map(({ status }) => status)
    }
    const unfilled = async () => Number((await client.query("select count(*) from journal_entries where organization_id = $1 and amount is null", [place.organizationId])).rows[0].count)
    await advance()
    await assertFinds()
    await client.query("update journal_entries set amount = null, search_text = split_part(search_text, E'\\nabcd', 1), search_terms = search_terms[1:8] where organization_id = $1", [place.organizationId])
    assert.strictEqual(await unfilled(), 410)
    await assertFinds()
    assert.strictEqual(await advance(), 410)
    assert.strictEqual(await unfilled(), 0)
    await assertFinds()
    assert.deepStrictEqual([...new Set(await told())], ["SUBMITTING", "FISCALIZED"])
    const doubted = documents[7]
    if (doubted === undefined) return assert.fail()
    await runtime.runPromise(Effect.flatMap(OperationStore, (store) => store.conclude(notSent(doubted))))
    await runtime.runPromise(Effect.flatMap(UnresolvedOperations, (unresolved) =>
      unresolved.raise({ organizationId: place.organizationId, operationId: doubted.id }, [{ kind: "LOST_ATTEMPT", detail: "x", evidence: null }], doubted.createdAt)))
    assert.include(await told(), "OUTCOME_UNKNOWN")
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
    // The tenants with documents not indexed, with documents stored late, with parts not summed, with entries of an earlier release, with receipts found since, with documents to seal, the
    // licences that ended without an event, and the tenants with changes or leaves that were not read for events.
    assert.deepStrictEqual(found.toSorted(), ["journal_horizons", "journal_horizons", "journal_horizons", "journal_pending", "licences", "noted_changes", "operations", "organizations"])
  })
})
