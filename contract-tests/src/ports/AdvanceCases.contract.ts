import {
  AdvanceCaseList,
  AdvanceCases,
  caseDocuments,
  type CaseReserved,
  caseStateOf,
  compareInJournal,
  matchesCaseFilter,
  OperationHistory,
  OperationStore,
  planCancellation,
  planPayment,
  type StoreUnavailable,
  totalAmount
} from "@overa/domain"
import { DateTime, Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { buyer, type CaseStores, close, conclude, documentOf, kept, mintCase, openedCase, paid, pay, read, said, tryClose } from "../support/caseSteps.ts"
import { plain } from "../support/plain.ts"
import { mintPlace, sampleConclusion, sampleContent, sampleOperation, sampleReservation, sampleTime } from "../support/sampleOperations.ts"

/** What every store of advance cases does. Source: Decisions §5, Advance case. */
export const advanceCasesContract = (name: string, layer: () => Layer.Layer<CaseStores, unknown>, twoHosts?: () => Layer.Layer<CaseStores, unknown>) =>
  describe(`${name}: AdvanceCases`, () => {
    const run = <A, E>(body: Effect.Effect<A, E, CaseStores>, host = layer) => Effect.runPromise(Effect.provide(body, host()))

    it("keeps a case as it was opened; opening it again changes nothing", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      assert.deepStrictEqual(yield* cases.open(opened), { _tag: "Opened" })
      assert.deepStrictEqual(plain(yield* read(opened)), plain({ opened, documents: [] }))
      const other = { ...mintCase(), ...mintPlace(), organizationId: opened.organizationId, boundKey: opened.boundKey }
      const answer = yield* cases.open(other)
      assert.deepStrictEqual(plain(answer), plain({ _tag: "CaseKnown", existing: opened }))
      assert.isTrue(Option.isNone(yield* cases.get({ ...opened, environment: "production" }, opened.id)))
      assert.isTrue(Option.isNone(yield* cases.get(mintPlace(), opened.id)))
      for (const by of [{ id: opened.id }, { key: opened.boundKey.key }]) {
        assert.deepStrictEqual(plain(Option.getOrNull(yield* cases.find(opened.organizationId, by))), plain(opened))
        assert.isTrue(Option.isNone(yield* cases.find(mintPlace().organizationId, by)))
      }
    })))

    it("lists the cases of a tenant latest first behind a place, as the filter says", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const list = yield* AdvanceCaseList
      const place = mintPlace()
      const elsewhere = mintPlace()
      // Two of one millisecond: their ids decide.
      const opened = [0, 0, 1, 2, 3].map((minutes, at) => ({
        ...mintCase(),
        ...place,
        ...(at === 3 ? { taxpayerId: elsewhere.taxpayerId, businessPremiseId: elsewhere.businessPremiseId } : {}),
        clientReference: at % 2 === 0 ? "even" : "odd",
        createdAt: DateTime.add(sampleTime, { minutes })
      }))
      for (const one of [...opened, mintCase()]) yield* cases.open(one)
      const latest = opened.toSorted(compareInJournal)
      const none = { taxpayerId: null, businessPremiseId: null, clientReference: null, created: { from: null, to: null } }
      const filters = [
        none,
        { ...none, taxpayerId: elsewhere.taxpayerId },
        { ...none, businessPremiseId: place.businessPremiseId },
        { ...none, clientReference: "even" },
        { ...none, created: { from: DateTime.add(sampleTime, { minutes: 1 }), to: DateTime.add(sampleTime, { minutes: 3 }) } }
      ]
      for (const filter of filters) {
        const wanted = latest.filter((one) => matchesCaseFilter(filter, one)).map(({ id }) => id)
        const found: Array<string> = []
        for (let after: { readonly createdAt: DateTime.Utc; readonly id: string } | null = null;;) {
          const page: ReadonlyArray<{ readonly createdAt: DateTime.Utc; readonly id: string }> = yield* list.opened(place, filter, { after, limit: 2 })
          found.push(...page.map(({ id }) => id))
          after = page.at(-1) ?? null
          if (page.length < 2) break
        }
        assert.deepStrictEqual(found, wanted)
      }
      assert.deepStrictEqual(yield* list.opened({ ...place, environment: "production" }, none, { after: null, limit: 9 }), [])
      assert.deepStrictEqual(yield* list.opened(mintPlace(), none, { after: null, limit: 9 }), [])
    })))

    it("refuses to open under a document's key, and a document under the key that opened a case", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      const document = yield* paid(opened)
      const second = { ...mintCase(), organizationId: opened.organizationId, boundKey: document.boundKey }
      assert.strictEqual((yield* cases.open(second))._tag, "KeyTaken")
      const { items } = sampleContent(1)
      const request = { ...said, items, payments: [{ type: "CARD" as const, amount: totalAmount(items) }], paymentOccurredAt: null }
      const taken = yield* cases.reserve(opened, (documents) =>
        Result.map(planPayment(opened, documents, request), (content) => [documentOf(opened, content, { boundKey: opened.boundKey })]))
      const answer = Result.getOrThrow(taken)
      assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, opened.id)
      const store = yield* OperationStore
      const sale = sampleReservation(sampleOperation(opened, { boundKey: opened.boundKey }))
      const reserved = yield* store.reserve(sale)
      assert.strictEqual(reserved._tag === "KeyTaken" ? reserved.existing.id : reserved._tag, opened.id)
      const holder = Option.getOrThrow(yield* store.findByKey({ organizationId: opened.organizationId, ...opened.boundKey }))
      assert.deepStrictEqual([holder.id, holder.environment, holder.boundKey.target], [opened.id, opened.environment, opened.boundKey.target])
    })))

    it("keeps documents in the order they were reserved, whatever their hosts' clocks say", () => run(Effect.gen(function*() {
      const opened = yield* openedCase
      const ids = []
      for (let count = 0; count < 4; count += 1) ids.push((yield* paid(opened)).id)
      const { documents } = yield* read(opened)
      assert.deepStrictEqual(documents.map(({ id }) => id), ids)
      assert.deepStrictEqual(documents.map(({ content }) => content.reference?.fiscalDocumentId ?? null), [null, ...ids.slice(0, 3)])
    })))

    it("refuses what the plan refuses, and stores nothing of it", () => run(Effect.gen(function*() {
      const opened = yield* openedCase
      kept(yield* pay(opened))
      const second = yield* pay(opened)
      assert.strictEqual(Result.isFailure(second) ? second.failure._tag : "reserved", "DocumentInFlight")
      assert.lengthOf((yield* read(opened)).documents, 1)
    })))

    it("reserves the signed copy of a cash cancellation with its outcome, once", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      const sale = yield* paid(opened, "CASH")
      const cancelled = yield* cases.reserve(opened, (documents) =>
        Result.map(planCancellation(opened, documents, { ...said, buyer, advanceSaleId: sale.id }), (content) => [documentOf(opened, content)]))
      const refund = kept(cancelled)
      assert.lengthOf((yield* read(opened)).documents, 2)
      yield* conclude(refund)
      yield* conclude(refund)
      const [one] = caseDocuments((yield* read(opened)).documents).cancellations
      assert.deepStrictEqual([one?.refund.status, one?.copy?.status], ["FISCALIZED", "VALIDATED"])
      assert.strictEqual(one?.copy?.content.reference?.fiscalDocumentId, refund.id)
      assert.isNotNull(one?.copy?.nextCheckAt)
    })))

    it("makes the final sale ready in the commit that stores its Advance Refund", () => run(Effect.gen(function*() {
      const opened = yield* openedCase
      yield* paid(opened)
      const { finalSale, refund } = yield* close(opened)
      const before = caseDocuments((yield* read(opened)).documents)
      assert.deepStrictEqual([before.finalSale?.status, before.finalSale?.content.reference], ["VALIDATED", null])
      assert.isNull(before.finalSale?.nextCheckAt)
      yield* conclude(refund)
      const after = caseDocuments((yield* read(opened)).documents)
      assert.strictEqual(after.finalSale?.id, finalSale.id)
      assert.strictEqual(after.finalSale?.content.reference?.fiscalDocumentId, refund.id)
      assert.isNotNull(after.finalSale?.nextCheckAt)
      assert.strictEqual(after.finalSale?.boundKey.body, finalSale.boundKey.body)
    })))

    it("ends the final sale in the commit that stores the rejection of its Advance Refund", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const opened = yield* openedCase
      yield* paid(opened)
      const { finalSale, refund } = yield* close(opened)
      yield* store.conclude(sampleConclusion(refund, {
        workflow: refund.workflow,
        event: "rejected",
        attemptOutcome: "REJECTED",
        failureCode: "PFR_VALIDATION_REJECTED",
        rejection: { items: [{ property: "items[0].name", codes: ["2801"] }] }
      }))
      const { documents } = yield* read(opened)
      assert.strictEqual(caseStateOf(caseDocuments(documents)), "FAILED")
      const ended = Option.getOrThrow(yield* store.get(opened, finalSale.id))
      assert.deepStrictEqual([ended.status, ended.failureCode], ["NOT_FISCALIZED", "ADVANCE_REFUND_NOT_FISCALIZED"])
      const moves = yield* (yield* OperationHistory).transitions(opened, finalSale.id)
      assert.deepStrictEqual(moves.map(({ to }) => to), ["RECEIVED", "VALIDATED", "NOT_FISCALIZED"])
    })))

    it("writes what was kept again after the store lost it, and again without harm", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = mintCase()
      const { items } = sampleContent(1)
      const request = { ...said, items, payments: [{ type: "CARD" as const, amount: totalAmount(items) }], paymentOccurredAt: null }
      const reservation = documentOf(opened, Result.getOrThrow(planPayment(opened, [], request)))
      assert.strictEqual((yield* cases.reserveAgain(opened, [reservation]))._tag, "Reserved")
      assert.strictEqual((yield* cases.reserveAgain(opened, [reservation]))._tag, "Reserved")
      assert.lengthOf((yield* read(opened)).documents, 1)
    })))

    if (twoHosts === undefined) return
    it("of 200 payments at once, on two hosts, one is reserved; the others wait for it", async () => {
      const opened = await run(openedCase)
      const many = (host: () => Layer.Layer<CaseStores, unknown>) =>
        run(Effect.all(Array.from({ length: 100 }, () => pay(opened)), { concurrency: "unbounded" }), host)
      const answers = (await Promise.all([many(layer), many(twoHosts)])).flat()
      assert.lengthOf(answers.filter(Result.isSuccess), 1)
      const lost = answers.flatMap((answer) => Result.isFailure(answer) ? [answer.failure._tag] : [])
      assert.deepStrictEqual([...new Set(lost)], ["DocumentInFlight"])
      assert.lengthOf((await run(read(opened))).documents, 1)
    }, 60_000)

    it("of payments, cancellations and closings at once, on two hosts, one is reserved", async () => {
      const opened = await run(openedCase)
      const sale = await run(paid(opened, "CASH"))
      const cancel = AdvanceCases.use((cases) =>
        cases.reserve(opened, (documents) =>
          Result.map(planCancellation(opened, documents, { ...said, buyer, advanceSaleId: sale.id }), (content) => [documentOf(opened, content)])))
      type Mutation = Effect.Effect<Result.Result<CaseReserved, unknown>, StoreUnavailable, CaseStores>
      const mixed = Array.from({ length: 33 }, (): ReadonlyArray<Mutation> => [tryClose(opened), cancel, pay(opened)]).flat()
      const answers = (await Promise.all([layer, twoHosts].map((host) => run(Effect.all(mixed, { concurrency: "unbounded" }), host)))).flat()
      const reserved = answers.flatMap((answer) => Result.isSuccess(answer) && answer.success._tag === "Reserved" ? [answer.success.kept] : [])
      assert.lengthOf(reserved, 1)
      const { documents } = await run(read(opened))
      assert.lengthOf(documents, 1 + (reserved[0]?.length ?? 0))
      assert.lengthOf(documents.filter(({ status }) => status === "SUBMITTING"), 1)
    }, 60_000)
  })
