import { documentsOf, type Operation, OperationStore, RefundStore, refundWorkflowStatus } from "@overa/domain"
import { Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { concluded, type RefundStores, reservationOf, soldReceipt } from "../support/refundSamples.ts"
import { mintPlace, sampleOperation, signed } from "../support/sampleOperations.ts"

type Item = { readonly kind: string; readonly detail: string }

/** The contract of every store of refund workflows whose attention list can be read: a refund outlives an original that the store has lost. */
export const lostOriginalContract = <R>(
  name: string,
  layer: () => Layer.Layer<RefundStores | R, unknown>,
  attentionOf: (operation: Operation) => Effect.Effect<ReadonlyArray<Item>, unknown, R>
): void => {
  const run = <A, E>(body: Effect.Effect<A, E, RefundStores | R>) => Effect.runPromise(Effect.provide(body, layer()))

  /** A receipt that a failover has lost: only the process that refunds it still has it. */
  const lostReceipt = (): Operation => {
    const operation = sampleOperation(mintPlace())
    return { ...operation, status: "FISCALIZED", answer: signed(operation).answer }
  }

  describe(`${name}: a refund that is written again`, () => {
    it("can be read, is concluded, and names its lost original on the attention list once", () => run(Effect.gen(function*() {
      const refunds = yield* RefundStore
      const original = lostReceipt()
      const kept = Result.getOrThrow(reservationOf(original, { quantity: "1", payment: "CASH" })(yield* refunds.ledger(original)))
      for (const time of ["the first time", "the second time"]) {
        assert.strictEqual((yield* refunds.reserveAgain(original, kept))._tag, "Reserved", time)
      }
      const read = Effect.map(refunds.get(kept.reservation.operation, kept.workflowId), Option.getOrThrow)
      assert.strictEqual(refundWorkflowStatus(documentsOf(yield* read)), "REFUND_PENDING")
      yield* concluded(kept, "signed")
      const stored = yield* read
      assert.deepStrictEqual([stored.refund.status, stored.copy?.status, refundWorkflowStatus(documentsOf(stored))], ["FISCALIZED", "VALIDATED", "COPY_PENDING"])
      const items = yield* attentionOf(kept.reservation.operation)
      assert.deepStrictEqual(items.map(({ kind }) => kind), ["ORIGINAL_LOST"])
      assert.include(items[0]?.detail, original.answer?.pfr.invoiceNumber ?? "no number")
      assert.isTrue(Option.isNone(yield* (yield* OperationStore).get(original, original.id)))
    })))

    it("says nothing of an original that is stored", () => run(Effect.gen(function*() {
      const refunds = yield* RefundStore
      const original = yield* soldReceipt
      const kept = Result.getOrThrow(reservationOf(original, { quantity: "1", payment: "CARD" })(yield* refunds.ledger(original)))
      yield* refunds.reserveAgain(original, kept)
      assert.deepStrictEqual(yield* attentionOf(kept.reservation.operation), [])
    })))
  })
}
