import { AdvanceCases, OperationStore, UnresolvedOperations } from "@overa/domain"
import { Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { type CaseStores, close, conclude, documentOf, kept, openedCase, paid, planAll, sendAndReject } from "../support/caseSteps.ts"
import { sampleTime } from "../support/sampleOperations.ts"

/** What every store of advance cases does with closings that do not go the straight way. Source: Decisions §5, Advance case (closing). */
export const advanceClosingsContract = (name: string, layer: () => Layer.Layer<CaseStores, unknown>) =>
  describe(`${name}: closings of AdvanceCases`, () => {
    const run = <A, E>(body: Effect.Effect<A, E, CaseStores>) => Effect.runPromise(Effect.provide(body, layer()))

    it("has a final sale due from its first commit on where its Advance Refund is kept and its element could not be opened", () => run(Effect.gen(function*() {
      const cases = yield* AdvanceCases
      const store = yield* OperationStore
      const unresolved = yield* UnresolvedOperations
      const opened = yield* openedCase
      yield* paid(opened)
      const { finalSale, refund } = yield* close(opened)
      yield* conclude(refund)
      yield* sendAndReject(finalSale)
      const unsent = { status: "NOT_FISCALIZED", attempt: 0, failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" } as const
      const again = kept(yield* cases.reserve(opened, (documents) =>
        Result.map(planAll(opened, documents), ({ finalSale: content }) => {
          const reservation = documentOf(opened, content, unsent)
          return [{ ...reservation, attempt: null, transitions: reservation.transitions.slice(0, 2) }]
        })))
      const stored = Option.getOrThrow(yield* store.get(opened, again.id))
      assert.deepStrictEqual([stored.status, stored.content.reference?.fiscalDocumentId], ["NOT_FISCALIZED", refund.id])
      assert.isNotNull(stored.nextCheckAt)
      // Soon, and not at once: the element could not be opened a moment ago.
      const claim = { limit: 1_000, leaseMillis: 60_000, actor: "worker:w1", hostId: "w1", at: sampleTime }
      const due = yield* unresolved.claimDue(claim)
      assert.isFalse(due.some(({ operation }) => operation.id === again.id))
    })))
  })
