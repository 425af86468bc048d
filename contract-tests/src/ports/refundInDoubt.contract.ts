import { documentsOf, type Operation, RefundStore, refundWorkflowStatus, UnresolvedOperations } from "@overa/domain"
import { BigDecimal, Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { ask, concluded, type RefundStores, reserve, soldReceipt } from "../support/refundSamples.ts"
import { after } from "../support/sampleOperations.ts"

type Acknowledge = (operation: Operation, kind: string) => Effect.Effect<void, unknown, RefundStores>

const takenOf = Effect.fnUntraced(function*(original: Operation) {
  const ledger = yield* (yield* RefundStore).ledger(original)
  return { taken: BigDecimal.format(ledger.lines[0]?.quantityTaken ?? BigDecimal.fromBigInt(0n)), holds: ledger.holds.length }
})

const raise = ({ id, organizationId }: Operation) =>
  UnresolvedOperations.use((unresolved) =>
    unresolved.raise({ organizationId, operationId: id }, [{ kind: "LOST_ATTEMPT", detail: "there may be a receipt", evidence: null }], after(5)))

/** The contract of every store of refund workflows about a refund that may have a receipt after all. The first line of the sample is 1.250 of something. */
export const refundInDoubtContract = (name: string, layer: () => Layer.Layer<RefundStores, unknown>, acknowledge: Acknowledge): void => {
  const run = <A, E>(body: Effect.Effect<A, E, RefundStores>) => Effect.runPromise(Effect.provide(body, layer()))

  describe(`${name}: a refund in doubt`, () => {
    it.each(["notSent", "rejected"] as const)("%s: holds its quantity again, until a person has acknowledged the item", (ending) => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "1", payment: "CARD" })
      yield* concluded(kept, ending)
      const { operation } = kept.reservation
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0", holds: 0 })
      yield* raise(operation)
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1", holds: 1 })
      const stored = Option.getOrThrow(yield* (yield* RefundStore).get(operation, kept.workflowId))
      assert.strictEqual(refundWorkflowStatus(documentsOf(stored)), "REFUND_OUTCOME_UNKNOWN")
      assert.isTrue(Result.isFailure(yield* ask(original, { quantity: "1", payment: "CARD" })))
      yield* acknowledge(operation, "LOST_ATTEMPT")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0", holds: 0 })
      yield* reserve(original, { quantity: "1", payment: "CARD" })
    })))

    it("holds what another refund took meanwhile, and what it holds is counted once", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "1", payment: "CARD" })
      yield* concluded(kept, "notSent")
      yield* reserve(original, { quantity: "1", payment: "CARD" })
      for (let times = 0; times < 2; times++) yield* raise(kept.reservation.operation)
      assert.deepStrictEqual(yield* takenOf(original), { taken: "2", holds: 2 })
      yield* acknowledge(kept.reservation.operation, "LOST_ATTEMPT")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1", holds: 1 })
    })))

    it("an outcome that comes after the item gives nothing back", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "1", payment: "CARD" })
      yield* raise(kept.reservation.operation)
      yield* concluded(kept, "notSent")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1", holds: 1 })
      yield* acknowledge(kept.reservation.operation, "LOST_ATTEMPT")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0", holds: 0 })
    })))
  })
}
