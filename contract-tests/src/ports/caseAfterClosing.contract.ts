import { AdvanceCases, type OpenedAdvanceCase, type Operation, OperationStore, type Redrive, type Reservation } from "@overa/domain"
import { Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { cancellationOf, type CaseStores, close, closingOf, conclude, kept, openedCase, paid, pay, paymentOf, read, sendAndReject } from "../support/caseSteps.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import { noAnswer, notSent, sampleAttempt, sampleConclusion, sampleTime, signed } from "../support/sampleOperations.ts"

type Items = ReadonlyArray<{ readonly kind: string; readonly detail: string }>

const first = (offered: Result.Result<ReadonlyArray<Reservation>, unknown>): Reservation => {
  const [reservation] = Result.getOrThrow(offered)
  if (reservation === undefined) throw new Error("a document is offered")
  return reservation
}

/** Its outcome is unknown, and an operator decides that it was not issued. */
const decidedNotIssued = Effect.fnUntraced(function*(operation: Operation) {
  const store = yield* OperationStore
  const { workflow } = operation
  yield* store.conclude(noAnswer(operation, { workflow }))
  yield* store.conclude(sampleConclusion(operation, {
    event: "confirmedNotIssued", attemptOutcome: "NO_ANSWER", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED", workflow
  }))
})

const found = (operation: Operation) =>
  OperationStore.use((store) => store.conclude({ ...signed(operation), event: "found", workflow: operation.workflow }))

/** The final sale of a ready closing is sent and signed. */
const sendFinalSale = Effect.fnUntraced(function*(finalSale: Operation) {
  const store = yield* OperationStore
  const stored = Option.getOrThrow(yield* store.get(finalSale, finalSale.id))
  assert.isTrue(yield* store.redrive(redriveOf(stored)))
  yield* conclude({ ...stored, attempt: 1 })
})

const redriveOf = (stored: Operation): Redrive => {
  const number = stored.attempt + 1
  const cause = stored.status === "VALIDATED" ? "reserved" : "redriven"
  return {
    operation: { ...stored, status: "SUBMITTING", attempt: number, failureCode: null },
    attempt: sampleAttempt(stored, { number, requestId: mintUuid().replaceAll("-", "") }),
    transition: { from: stored.status, to: "SUBMITTING", at: sampleTime, cause, actor: "api:h1", attempt: number },
    leaseMillis: 50_000
  }
}

/** The contract of every store of advance cases whose attention list can be read: what a closing did not count is never passed over in silence. */
export const caseAfterClosingContract = <R>(
  name: string,
  layer: () => Layer.Layer<CaseStores | R, unknown>,
  attentionOf: (operation: Operation) => Effect.Effect<Items, unknown, R>
): void => {
  const run = <A, E>(body: Effect.Effect<A, E, CaseStores | R>) => Effect.runPromise(Effect.provide(body, layer()))
  const itemsOf = Effect.fnUntraced(function*(opened: OpenedAdvanceCase) {
    const { documents } = yield* read(opened)
    return (yield* Effect.forEach(documents, attentionOf)).flat()
  })
  const isTold = Effect.fnUntraced(function*(operation: Operation, closing: Operation) {
    const items = yield* attentionOf(operation)
    assert.deepStrictEqual(items.map(({ kind }) => kind), ["AFTER_CLOSING"])
    assert.include(items[0]?.detail, closing.id)
  })

  describe(`${name}: documents of a case after its closing`, () => {
    it("a case that is paid, cancelled in part and closed in order puts nothing on the attention list", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      yield* paid(opened)
      const cancelled = yield* paid(opened, "CASH")
      yield* conclude(kept(yield* cases.reserve(opened, (documents) => cancellationOf(opened, documents, cancelled))))
      yield* paid(opened)
      const { finalSale, refund } = yield* close(opened)
      yield* conclude(refund)
      yield* sendFinalSale(finalSale)
      assert.deepStrictEqual(yield* itemsOf(opened), [])
    })))

    it("neither does a second closing after a rejected final sale", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      yield* paid(opened)
      const { finalSale, refund } = yield* close(opened)
      yield* conclude(refund)
      yield* sendAndReject(finalSale)
      const again = kept(yield* cases.reserve(opened, (documents) => closingOf(opened, documents)))
      yield* sendFinalSale(again)
      assert.deepStrictEqual(yield* itemsOf(opened), [])
    })))

    it("an advance that is found after the closing was reserved is raised once", () => run(Effect.gen(function*() {
      const opened = yield* openedCase
      yield* paid(opened)
      const late = kept(yield* pay(opened))
      yield* decidedNotIssued(late)
      const { finalSale, refund } = yield* close(opened)
      yield* conclude(refund)
      yield* sendFinalSale(finalSale)
      assert.deepStrictEqual(yield* itemsOf(opened), [])
      assert.strictEqual((yield* found(late))._tag, "Applied")
      yield* found(late)
      yield* isTold(late, finalSale)
    })))

    it("and so is one while only the Advance Refund of a rejected closing stands, and a cancellation", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      const sale = yield* paid(opened)
      const late = kept(yield* pay(opened))
      yield* decidedNotIssued(late)
      const cancellation = kept(yield* cases.reserve(opened, (documents) => cancellationOf(opened, documents, sale)))
      yield* decidedNotIssued(cancellation)
      const { finalSale, refund } = yield* close(opened)
      yield* conclude(refund)
      yield* sendAndReject(finalSale)
      for (const document of [late, cancellation]) {
        assert.strictEqual((yield* found(document))._tag, "Applied")
        yield* isTold(document, refund)
      }
    })))

    it("an advance that is found before a closing is counted, and raises nothing", () => run(Effect.gen(function*() {
      const opened = yield* openedCase
      const late = kept(yield* pay(opened))
      yield* decidedNotIssued(late)
      yield* found(late)
      yield* close(opened)
      assert.deepStrictEqual(yield* itemsOf(opened), [])
    })))

    it("an advance that the store had lost, stored again after the closing, is raised before its outcome is known", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      yield* paid(opened)
      const lost = first(paymentOf(opened, (yield* read(opened)).documents))
      const { finalSale, refund } = yield* close(opened)
      // The Advance Refund is in flight: nothing else of the case is until it is known.
      const early = yield* Effect.result(cases.reserveAgain(opened, [lost]))
      assert.isTrue(Result.isFailure(early) && early.failure._tag === "StoreUnavailable" && early.failure.committed === "no")
      yield* conclude(refund)
      for (const time of ["the first time", "the second time"]) {
        assert.strictEqual((yield* cases.reserveAgain(opened, [lost]))._tag, "Reserved", time)
      }
      yield* isTold(lost.operation, finalSale)
      assert.strictEqual((yield* conclude(lost.operation))._tag, "Applied")
      const items = yield* attentionOf(lost.operation)
      assert.deepStrictEqual(items.map(({ kind }) => kind), ["AFTER_CLOSING", "AFTER_CLOSING"])
    })))

    it("an advance that the store had lost, stored again after another one became a receipt, is raised once; neither the other one, nor one that it refers to, is", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      const lost = first(paymentOf(opened, (yield* read(opened)).documents))
      const other = yield* paid(opened)
      for (const time of ["the first time", "the second time"]) {
        assert.strictEqual((yield* cases.reserveAgain(opened, [lost]))._tag, "Reserved", time)
      }
      const items = yield* attentionOf(lost.operation)
      assert.deepStrictEqual(items.map(({ detail, kind }) => [kind, detail.includes(other.id)]), [["BESIDE_ANOTHER_ADVANCE", true]])
      const later = yield* openedCase
      yield* paid(later)
      const referring = first(paymentOf(later, (yield* read(later)).documents))
      yield* cases.reserveAgain(later, [referring])
      assert.deepStrictEqual([yield* attentionOf(other), yield* attentionOf(referring.operation)], [[], []])
    })))

    it("a closing that the store had lost finds another one in its place, and is not stored beside it", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const opened = yield* openedCase
      yield* paid(opened)
      const lost = Result.getOrThrow(closingOf(opened, (yield* read(opened)).documents))
      const { finalSale, refund } = yield* close(opened)
      for (const outcome of [Effect.void, conclude(refund)]) {
        yield* outcome
        const answer = yield* cases.reserveAgain(opened, lost)
        assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, finalSale.id)
      }
      assert.lengthOf((yield* read(opened)).documents, 3)
    })))

    it("an attempt that the store had lost waits for the document in flight", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const opened = yield* openedCase
      yield* paid(opened)
      const payment = kept(yield* pay(opened))
      yield* store.conclude(notSent(payment, { workflow: payment.workflow }))
      const { refund } = yield* close(opened)
      const redrive = redriveOf(Option.getOrThrow(yield* store.get(payment, payment.id)))
      const early = yield* Effect.result(store.redrive(redrive))
      assert.isTrue(Result.isFailure(early) && early.failure._tag === "StoreUnavailable" && early.failure.committed === "no")
      yield* conclude(refund)
      assert.isTrue(yield* store.redrive(redrive))
    })))
  })
}
