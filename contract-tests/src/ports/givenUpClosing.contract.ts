import {
  AdvanceCases, caseDocuments, caseStateOf, giveUpClosing, mayHaveArrived, type OpenedAdvanceCase, type Operation, OperationHistory, OperationStore, type Redrive,
  UnresolvedOperations
} from "@overa/domain"
import { Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { type CaseStores, close, closingOf, conclude, documentOf, kept, openedCase, paid, pay, planAll, read } from "../support/caseSteps.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import { noAnswer, notSent, sampleAttempt, sampleConclusion, sampleTime, signed } from "../support/sampleOperations.ts"

const giveUp = (document: Operation) => Effect.result(giveUpClosing({ tenant: document, id: document.id, operator: { name: "ana", reason: "ticket 88" } }))

const whyNot = (answer: Result.Result<unknown, { readonly _tag: string; readonly reason?: string }>): string =>
  Result.isSuccess(answer) ? "given up" : answer.failure.reason ?? answer.failure._tag

const nextAttempt = (stored: Operation): Redrive => {
  const number = stored.attempt + 1
  return {
    operation: { ...stored, status: "SUBMITTING", attempt: number, failureCode: null },
    attempt: sampleAttempt(stored, { number, requestId: mintUuid().replaceAll("-", "") }),
    transition: { from: stored.status, to: "SUBMITTING", at: sampleTime, cause: "redriven", actor: "api:h1", attempt: number },
    leaseMillis: 50_000
  }
}

const stateOf = (opened: OpenedAdvanceCase) => Effect.map(read(opened), ({ documents }) => caseStateOf(caseDocuments(documents)))

/** A closing whose Advance Refund was not sent. */
const unsentClosing = Effect.gen(function*() {
  const store = yield* OperationStore
  const opened = yield* openedCase
  yield* paid(opened)
  const { finalSale, refund } = yield* close(opened)
  yield* store.conclude(notSent(refund, { workflow: refund.workflow }))
  return { opened, refund, finalSale }
})

/** A closing whose Advance Refund may have been signed, and of which an operator decided that it was not. */
const decidedClosing = Effect.gen(function*() {
  const store = yield* OperationStore
  const opened = yield* openedCase
  yield* paid(opened)
  const { finalSale, refund } = yield* close(opened)
  const { workflow } = refund
  yield* store.conclude(noAnswer(refund, { workflow, nextCheckAfterMillis: null }))
  yield* store.conclude(sampleConclusion(refund, {
    event: "confirmedNotIssued", attemptOutcome: "NO_ANSWER", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED", nextCheckAfterMillis: 0, workflow
  }))
  return { opened, refund, finalSale }
})

/** The last search of its only attempt reached the V-PFR and found nothing. */
const searched = Effect.fnUntraced(function*(operation: Operation) {
  const unresolved = yield* UnresolvedOperations
  const { organizationId } = operation
  const searches = [{ attempt: 1, finding: "NOTHING" as const }]
  yield* unresolved.claimDue({ limit: 1_000, leaseMillis: 60_000, actor: "worker:w1", hostId: "w1", at: sampleTime })
  yield* unresolved.recordSearch({ organizationId, operationId: operation.id, at: sampleTime, actor: "worker:w1", searches, nextCheckAfterMillis: null })
})

/** The contract of every store of advance cases: a closing that an operator gives up. Source: docs/adr/0126. */
export const givenUpClosingContract = <R>(
  name: string,
  layer: () => Layer.Layer<CaseStores | R, unknown>,
  attentionOf: (operation: Operation) => Effect.Effect<ReadonlyArray<{ readonly kind: string; readonly detail: string }>, unknown, R>
): void => {
  const run = <A, E>(body: Effect.Effect<A, E, CaseStores | R>) => Effect.runPromise(Effect.provide(body, layer()))

  describe(`${name}: a closing that is given up`, () => {
    it("ends both of its documents in one commit, with the operator's name; the case reads as before and takes payments and another closing", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const history = yield* OperationHistory
      const { finalSale, opened, refund } = yield* unsentClosing
      assert.strictEqual(yield* stateOf(opened), "AWAITING_OUTCOME")
      assert.strictEqual(whyNot(yield* giveUp(finalSale)), "given up")
      for (const { id } of [refund, finalSale]) {
        const stored = Option.getOrThrow(yield* store.get(opened, id))
        assert.deepStrictEqual([stored.status, stored.failureCode, stored.nextCheckAt], ["NOT_FISCALIZED", "ADVANCE_REFUND_NOT_FISCALIZED", null])
        assert.strictEqual((yield* history.transitions(opened, id)).at(-1)?.actor, "operator:ana")
      }
      assert.strictEqual((yield* history.transitions(opened, refund.id)).at(-1)?.cause, "closingGivenUp")
      assert.deepStrictEqual((yield* history.attempts(opened.organizationId, refund.id)).map(({ outcome }) => outcome), ["NOT_SENT"])
      assert.strictEqual(yield* stateOf(opened), "OPEN")
      yield* paid(opened)
      const again = yield* close(opened)
      yield* conclude(again.refund)
      const documents = caseDocuments((yield* read(opened)).documents)
      assert.deepStrictEqual([documents.finalSale?.id, documents.finalSale?.content.reference?.fiscalDocumentId], [again.finalSale.id, again.refund.id])
      assert.strictEqual(whyNot(yield* giveUp(refund)), "its Advance Refund is signed; the service sends the final sale itself")
    })))

    it("is never sent: neither document takes another attempt, by whatever was read before", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const { opened, refund } = yield* unsentClosing
      const before = Option.getOrThrow(yield* store.get(opened, refund.id))
      yield* giveUp(refund)
      assert.isFalse(yield* store.redrive(nextAttempt(before)))
      const cases = yield* AdvanceCases
      const redriven = yield* cases.redrive(opened, nextAttempt(before), () => Result.void)
      assert.deepStrictEqual(redriven, Result.succeed(false))
    })))

    it("and its key sends it at the same moment: one of the two wins", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      for (let round = 0; round < 10; round += 1) {
        const { opened, refund } = yield* unsentClosing
        const before = Option.getOrThrow(yield* store.get(opened, refund.id))
        const [answer, won] = yield* Effect.all([giveUp(refund), store.redrive(nextAttempt(before))], { concurrency: "unbounded" })
        assert.notStrictEqual(Result.isSuccess(answer), won)
      }
    })))

    it("is refused while its Advance Refund is in flight, unknown or signed, and where none is reserved", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const opened = yield* openedCase
      const sale = yield* paid(opened)
      assert.strictEqual(whyNot(yield* giveUp(sale)), "no closing of the case is reserved")
      const { refund } = yield* close(opened)
      assert.strictEqual(whyNot(yield* giveUp(refund)), "its Advance Refund is being sent")
      yield* store.conclude(noAnswer(refund, { workflow: refund.workflow }))
      assert.strictEqual(whyNot(yield* giveUp(refund)), "its Advance Refund may have been signed: decide its outcome first")
      yield* store.conclude({ ...signed(refund), event: "found", workflow: refund.workflow })
      assert.strictEqual(whyNot(yield* giveUp(refund)), "its Advance Refund is signed; the service sends the final sale itself")
    })))

    it("needs the answer of the V-PFR where an attempt may have arrived; the attempt stays searched for", () => run(Effect.gen(function*() {
      const history = yield* OperationHistory
      const { opened, refund } = yield* decidedClosing
      assert.match(whyNot(yield* giveUp(refund)), /the last search for attempt 1 got no answer/)
      yield* searched(refund)
      assert.strictEqual(whyNot(yield* giveUp(refund)), "given up")
      assert.deepStrictEqual((yield* history.attempts(opened.organizationId, refund.id)).map(mayHaveArrived), [true])
    })))

    it("and is found after all: a person is told, and only another closing may follow, which refers to it", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const store = yield* OperationStore
      const { opened, refund } = yield* decidedClosing
      yield* searched(refund)
      yield* giveUp(refund)
      assert.strictEqual((yield* store.conclude({ ...signed(refund), event: "found", workflow: refund.workflow }))._tag, "Applied")
      assert.deepStrictEqual((yield* attentionOf(refund)).map(({ kind }) => kind), ["AFTER_CLOSING"])
      assert.strictEqual(yield* stateOf(opened), "AWAITING_OUTCOME")
      assert.isTrue(Result.isFailure(yield* pay(opened)))
      const sale = kept(yield* cases.reserve(opened, (documents) => closingOf(opened, documents)))
      assert.deepStrictEqual([sale.content.invoiceType, sale.content.reference?.fiscalDocumentId], ["NORMAL", refund.id])
    })))

    it("and is found beside another closing: neither its final sale nor the other one's is changed by it", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const { opened, refund } = yield* decidedClosing
      yield* searched(refund)
      yield* giveUp(refund)
      const other = yield* close(opened)
      yield* store.conclude({ ...signed(refund), event: "found", workflow: refund.workflow })
      const waiting = Option.getOrThrow(yield* store.get(opened, other.finalSale.id))
      assert.deepStrictEqual([waiting.status, waiting.content.reference, waiting.nextCheckAt], ["VALIDATED", null, null])
      assert.deepStrictEqual((yield* attentionOf(refund)).map(({ kind }) => kind), ["AFTER_CLOSING"])
    })))

    it("without an Advance Refund it is its final sale that is given up", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const store = yield* OperationStore
      const opened = yield* openedCase
      const offer = (documents: ReadonlyArray<Operation>) => Result.map(planAll(opened, documents), ({ finalSale }) => [documentOf(opened, finalSale)])
      const sale = kept(yield* cases.reserve(opened, offer))
      yield* store.conclude(notSent(sale, { workflow: sale.workflow }))
      assert.strictEqual(whyNot(yield* giveUp(sale)), "given up")
      assert.strictEqual(yield* stateOf(opened), "OPEN")
      const again = kept(yield* cases.reserve(opened, offer))
      yield* conclude(again)
      assert.strictEqual(yield* stateOf(opened), "CLOSED")
    })))
  })
}
