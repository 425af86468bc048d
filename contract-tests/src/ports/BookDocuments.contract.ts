import { BookDocuments, type BookLine, bookLine, type FiscalDocumentId, openAdvances, type Operation, OperationStore, pfrInstant, type Tenant, UnresolvedOperations, type WorkflowId } from "@overa/domain"
import { DateTime, Effect, Equal, type Layer, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { historyAnswer, historyOperation, storeHistory } from "../support/sampleHistory.ts"
import { mintPlace, sampleReservation, signed } from "../support/sampleOperations.ts"

type Stores = OperationStore | BookDocuments | UnresolvedOperations

const historyLength = 400

const raiseDoubt = ({ createdAt, id, organizationId }: Operation) =>
  UnresolvedOperations.use((unresolved) => unresolved.raise({ organizationId, operationId: id }, [{ kind: "LOST_ATTEMPT", detail: "x", evidence: null }], createdAt))

/** An Advance receipt of a case: its Sale, or the Refund that gives all of it back. */
const storeAdvance = Effect.fnUntraced(function*(place: Parameters<typeof historyOperation>[0][number], at: number, transactionType: "SALE" | "REFUND", caseId: string) {
  const store = yield* OperationStore
  const base = historyOperation([place], at)
  const operation: Operation = { ...base, workflow: { type: "ADVANCE", id: caseId as WorkflowId }, content: { ...base.content, ...amountOf(historyOperation([place], 1).content), invoiceType: "ADVANCE", transactionType } }
  yield* store.reserve(sampleReservation(operation))
  yield* store.conclude(signed(operation, { answer: historyAnswer(1, operation.createdAt, `ADVA2345-ADVA2345-${at}`) }))
  return operation
})

const amountOf = ({ items, payments }: Operation["content"]) => ({ items, payments })

const signedAt = ({ answer }: Operation): number =>
  Option.match(Option.flatMap(Option.fromNullishOr(answer), ({ pfr }) => pfrInstant(pfr.sdcTime)), { onNone: () => 0, onSome: DateTime.toEpochMillis })

/** The contract of what months' books read: as the whole documents say, of the tenant alone. `register` makes an organization known to the store. */
export const bookDocumentsContract = (name: string, start: () => { readonly layer: Layer.Layer<Stores, unknown>; readonly register: (organizationId: string) => Promise<void> }) =>
  describe(`BookDocuments on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let all: ReadonlyArray<Operation>
    let rejectedInDoubt: ReadonlyArray<string>
    const home = mintPlace()
    const tenant: Tenant = home
    const second = { ...mintPlace(), organizationId: home.organizationId }
    const production = { ...mintPlace("production"), organizationId: home.organizationId }
    const stranger = mintPlace()
    const run = <A, E>(body: Effect.Effect<A, E, Stores>): Promise<A> => runtime.runPromise(body)
    const own = (): ReadonlyArray<Operation> => all.filter(({ environment, organizationId }) => organizationId === tenant.organizationId && environment === tenant.environment)
    const lineOf = (operation: Operation): BookLine | null => bookLine(operation)

    beforeAll(async () => {
      const started = start()
      runtime = ManagedRuntime.make(started.layer)
      for (const { organizationId } of [home, stranger]) await started.register(organizationId)
      await run(Effect.gen(function*() {
        const store = yield* OperationStore
        const made = Array.from({ length: historyLength }, (_, at) => historyOperation(at % 20 === 0 ? [at % 40 === 0 ? production : stranger] : [home, home, second], at))
        yield* Effect.forEach(made, (operation, at) => storeHistory(store, operation, at), { concurrency: 16 })
        const doubted = made.filter((_, at) => at % 3 === 0)
        const before = yield* Effect.forEach(doubted, (operation) => Effect.map(store.get(operation, operation.id), Option.getOrThrow), { concurrency: 16 })
        rejectedInDoubt = before.filter(({ status }) => status === "REJECTED").map(({ id }) => id)
        yield* Effect.forEach(doubted, raiseDoubt, { concurrency: 16 })
        const cases = Array.from({ length: 6 }, () => crypto.randomUUID())
        const advances = yield* Effect.forEach(cases, (caseId, at) => storeAdvance(home, historyLength + at * 40, "SALE", caseId))
        // Two cases stay open, the others are closed one after another.
        const closings = yield* Effect.forEach(cases.slice(2), (caseId, at) => storeAdvance(home, historyLength + 100 + at * 60, "REFUND", caseId))
        all = yield* Effect.forEach([...made, ...advances, ...closings], (operation) => Effect.map(store.get(operation, operation.id), Option.getOrThrow), { concurrency: 16 })
      }))
    }, 120_000)
    afterAll(() => runtime.dispose())

    it("has the line of every document, in the order that was asked for", async () => {
      const asked = own().toReversed()
      const read = await run(BookDocuments.use((documents) => documents.read(tenant, asked.map(({ id }) => id))))
      assert.isAbove(asked.filter((operation) => lineOf(operation) !== null).length, 100)
      assert.deepStrictEqual(read.map(({ id }) => id), asked.map(({ id }) => id))
      for (const [at, document] of read.entries()) assert.isTrue(Equal.equals(bookLine(document), lineOf(asked[at] as Operation)), document.id)
    })

    it("has nothing of another organization, of the other environment, or of no document", async () => {
      const foreign = all.filter((operation) => !own().includes(operation)).map(({ id }) => id)
      assert.isAbove(foreign.length, 10)
      const read = await run(BookDocuments.use((documents) => documents.read(tenant, [...foreign, crypto.randomUUID() as FiscalDocumentId])))
      assert.deepStrictEqual(read, [])
    })

    it("finds what a taxpayer's month has as receipts, and what of the month is told as rejected, oldest first", async () => {
      const createdAt = ({ createdAt: at }: Operation): number => DateTime.toEpochMillis(at)
      const at = (millis: number): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(millis))
      const kinds = [["signed", "FISCALIZED", signedAt], ["rejected", "REJECTED", createdAt]] as const
      for (const [kind, status, timeOf] of kinds) {
        for (const { taxpayerId } of [home, second]) {
          const some = own().filter((it) => it.status === status && it.taxpayerId === taxpayerId && timeOf(it) > 0).toSorted((one, other) => timeOf(one) - timeOf(other))
          const times = some.map(timeOf)
          assert.isAbove(some.length, taxpayerId === home.taxpayerId ? 5 : 0, `${kind} documents of a taxpayer`)
          // The first moment is in the month, the last one is not.
          const [from, to] = [times[1] ?? 0, times[times.length - 2] ?? 0]
          const ask = (most: number) => run(BookDocuments.use((documents) => documents[kind](tenant, taxpayerId, { from: at(from), to: at(to) }, most)))
          const asked = some.filter((it) => timeOf(it) >= from && timeOf(it) < to)
          const found = await ask(1_000)
          assert.deepStrictEqual(found.toSorted(), asked.map(({ id }) => id).toSorted())
          const foundTimes = found.map((id) => timeOf(own().find((it) => it.id === id) as Operation))
          assert.deepStrictEqual(foundTimes, foundTimes.toSorted((one, other) => one - other))
          assert.deepStrictEqual(await ask(2), found.slice(0, 2))
        }
      }
      assert.isAbove(rejectedInDoubt.filter((id) => own().some((it) => it.id === id && it.taxpayerId === home.taxpayerId)).length, 0, "some rejected document is in doubt, and so is told as unknown")
    })

    it("finds the advances that the rule has as open, at any moment", async () => {
      const times = own().map(signedAt).filter((at) => at > 0).toSorted((one, other) => one - other)
      for (const share of [0, 0.3, 0.7, 0.95, 0.97, 0.99, 1]) {
        const before = (times[Math.floor(share * (times.length - 1))] ?? 0) + 1
        const advances = own().filter((it) => it.taxpayerId === home.taxpayerId && it.status === "FISCALIZED" && it.content.invoiceType === "ADVANCE" && signedAt(it) < before)
        const cases = (some: ReadonlyArray<Operation>) =>
          openAdvances(some.flatMap((operation) => {
            const line = lineOf(operation)
            return line === null ? [] : [{ line, caseId: operation.workflow?.id ?? operation.id }]
          })).map(({ caseId }) => caseId).toSorted()
        const ask = (most: number) => run(BookDocuments.use((documents) => documents.openAdvances(tenant, home.taxpayerId, DateTime.toUtc(DateTime.makeUnsafe(before)), most)))
        const found = await ask(1_000)
        const documents = found.map((id) => own().find((it) => it.id === id) as Operation)
        const open = cases(advances)
        assert.deepStrictEqual(documents.map(({ id }) => id).toSorted(), advances.filter(({ id, workflow }) => open.includes(workflow?.id ?? id)).map(({ id }) => id).toSorted())
        assert.deepStrictEqual(documents.map(signedAt), documents.map(signedAt).toSorted((one, other) => one - other))
        assert.lengthOf(await ask(2), Math.min(2, found.length))
      }
    })
  })
