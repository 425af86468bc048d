import { decideUnknown, type Operation, type OperatorsDeed, type Redrive, UnresolvedOperations } from "@overa/domain"
import { Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { after, mintPlace, noAnswer, notSent, sampleAttempt, sampleConclusion, sampleUnsentReservation, signed } from "../support/sampleOperations.ts"
import { type Store, stored, type Stores, storesOf, submitting } from "../support/storeSuite.ts"

/** A line of the activity log about an operation; `after` as an object. */
export interface DeedLine {
  readonly actor: string
  readonly act: string
  readonly reason: string
  readonly after: unknown
}

const deed: OperatorsDeed = { actor: "operator:ana", reason: "letter of the tax authority, ticket 88", act: "unknown outcome decided", after: { decision: "CONFIRMED_NOT_ISSUED" } }

const notIssued = (operation: Operation) =>
  sampleConclusion(operation, { event: "confirmedNotIssued", attemptOutcome: "NO_ANSWER", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED", deed })

/** An attempt that an operator has made. */
export const retriedBy = (operation: Operation, number: number, by: OperatorsDeed = deed): Redrive => ({
  operation: { ...operation, status: "SUBMITTING", attempt: number, failureCode: null, updatedAt: after(9_000) },
  attempt: sampleAttempt(operation, { number, startedAt: after(9_000) }),
  transition: { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9_000), cause: "redriven", actor: by.actor, attempt: number },
  leaseMillis: 50_000,
  deed: by
})

const unknown = Effect.fnUntraced(function*(store: Store) {
  const { operation } = yield* submitting(store)
  yield* store.conclude(noAnswer(operation, { nextCheckAfterMillis: null }))
  return operation
})

/** The contract of every store of operations: an operator's act is in the activity log in the commit that carries it out (Decisions §4, §13). */
export const operatorsDeedsContract = (
  name: string,
  layer: () => Layer.Layer<Stores, unknown>,
  linesOf: (operation: Operation) => Effect.Effect<ReadonlyArray<DeedLine>, unknown, Stores>
): void => {
  const run = storesOf(layer)

  describe(`${name}: an operator's act`, () => {
    it("is in the log once, however often its conclusion is sent", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unknown(store)
        const conclusion = notIssued(operation)
        for (let again = 0; again < 3; again += 1) yield* store.conclude(conclusion)
        assert.strictEqual((yield* stored(store, operation)).status, "NOT_FISCALIZED")
        assert.deepStrictEqual(yield* linesOf(operation), [{ ...deed }])
      })))

    it("is not in the log where it changed nothing", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unknown(store)
        yield* store.conclude({ ...signed(operation), event: "found" })
        assert.strictEqual((yield* store.conclude(notIssued(operation)))._tag, "Superseded")
        assert.isFalse(yield* store.redrive(retriedBy(operation, 2)))
        assert.deepStrictEqual(yield* linesOf(operation), [])
      })))

    it("has an attempt made, a later one or the first: one of many operators is in the log", () => run((store) =>
      Effect.gen(function*() {
        const { operation: sent } = yield* submitting(store)
        yield* store.conclude(notSent(sent))
        const unsent = sampleUnsentReservation(mintPlace())
        yield* store.reserve(unsent)
        for (const [operation, number] of [[sent, 2], [unsent.operation, 1]] as const) {
          const tries = ["ana", "mira", "vuk"].map((person) => store.redrive(retriedBy(operation, number, { ...deed, actor: `operator:${person}` })))
          assert.lengthOf((yield* Effect.all(tries, { concurrency: "unbounded" })).filter(Boolean), 1)
          assert.lengthOf(yield* linesOf(operation), 1)
        }
      })))

    it("is none where a sale is issued", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        yield* store.conclude(signed(operation))
        assert.deepStrictEqual(yield* linesOf(operation), [])
      })))

    it("is told by its decision, with its reason and what was decided", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unknown(store)
        const { organizationId } = operation
        const searches = [{ attempt: 1, finding: "NOTHING" as const }]
        yield* (yield* UnresolvedOperations).recordSearch({ organizationId, operationId: operation.id, at: after(9_000), actor: "worker:w", searches, nextCheckAfterMillis: null })
        const decision = { _tag: "CONFIRMED_NOT_ISSUED" } as const
        const decided = yield* decideUnknown({ tenant: operation, id: operation.id, decision, operator: { name: "mira", reason: "ticket 89" } })
        assert.strictEqual(decided.status, "NOT_FISCALIZED")
        assert.deepStrictEqual(yield* linesOf(operation), [{
          actor: "operator:mira", act: "unknown outcome decided", reason: "ticket 89",
          after: { decision: "CONFIRMED_NOT_ISSUED", status: "NOT_FISCALIZED", invoiceNumber: null }
        }])
      })))
  })
}
