import { cashRefundCopyKey, documentsOf, type Operation, OperationStore, RefundStore, refundWorkflowStatus } from "@overa/domain"
import { Effect, type Layer, Option } from "effect"
import { assert, describe, it } from "vitest"
import { concluded, type RefundStores, reserve, soldReceipt } from "../support/refundSamples.ts"
import { sampleOperation, sampleReservation } from "../support/sampleOperations.ts"

/** The contract of every store of refund workflows whose attention list can be read: a copy that cannot be reserved is never passed over in silence. */
export const unreservedCopyContract = <R>(
  name: string,
  layer: () => Layer.Layer<RefundStores | R, unknown>,
  attentionOf: (operation: Operation) => Effect.Effect<ReadonlyArray<{ readonly kind: string; readonly detail: string }>, unknown, R>
): void => {
  const run = <A, E>(body: Effect.Effect<A, E, RefundStores | R>) => Effect.runPromise(Effect.provide(body, layer()))

  describe(`${name}: the copy of a cash refund`, () => {
    it("that is reserved with its refund's outcome puts nothing on the attention list, also where the outcome is stored twice", () => run(Effect.gen(function*() {
      const kept = yield* reserve(yield* soldReceipt, { quantity: "1", payment: "CASH" })
      yield* concluded(kept, "signed")
      yield* concluded(kept, "signed")
      assert.deepStrictEqual(yield* attentionOf(kept.reservation.operation), [])
    })))

    it("whose key another document has is not reserved: a person is told once, and the refund can be read", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const kept = yield* reserve(yield* soldReceipt, { quantity: "1", payment: "CASH" })
      const { operation } = kept.reservation
      const other = sampleOperation(operation, { boundKey: { ...operation.boundKey, role: "INNER", key: cashRefundCopyKey(operation.boundKey.key) } })
      yield* store.reserve(sampleReservation(other))
      assert.strictEqual((yield* concluded(kept, "signed"))._tag, "Applied")
      const items = yield* attentionOf(operation)
      assert.deepStrictEqual(items.map(({ kind }) => kind), ["COPY_NOT_RESERVED"])
      assert.include(items[0]?.detail, other.id)
      assert.include(items[0]?.detail, kept.copyId ?? "no copy")
      const stored = Option.getOrThrow(yield* (yield* RefundStore).get(operation, kept.workflowId))
      assert.deepStrictEqual([stored.copy, refundWorkflowStatus(documentsOf(stored))], [null, "COPY_PENDING"])
    })))
  })
}
