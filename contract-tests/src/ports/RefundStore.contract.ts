import {
  type Operation,
  OperationStore,
  type RefundReservation,
  RefundStore,
  refundWorkflowStatus,
  documentsOf
} from "@overa/domain"
import { BigDecimal, Effect, type Layer, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { plain } from "../support/plain.ts"
import {
  ask, concluded, decimal, type RefundStores, reservationOf, reserve, soldReceipt
} from "../support/refundSamples.ts"
import { mintPlace, sampleConclusion, signed } from "../support/sampleOperations.ts"

const takenOf = Effect.fnUntraced(function*(original: Operation) {
  const refunds = yield* RefundStore
  const ledger = yield* refunds.ledger(original)
  return { taken: BigDecimal.format(ledger.lines[0]?.quantityTaken ?? decimal("0")), holds: ledger.holds.length }
})

const storedRefund = Effect.fnUntraced(function*(kept: RefundReservation) {
  const refunds = yield* RefundStore
  return Option.getOrThrow(yield* refunds.get(kept.reservation.operation, kept.workflowId))
})

/** The contract of every store of refund workflows. The first line of the sample receipt is 1.250 of something. */
export const refundStoreContract = (name: string, layer: () => Layer.Layer<RefundStores, unknown>): void => {
  const run = <A, E>(body: Effect.Effect<A, E, RefundStores>) => Effect.runPromise(Effect.provide(body, layer()))

  describe(`${name}: refunds`, () => {
    it("a receipt without refunds has an open account", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0", holds: 0 })
    })))

    it("a reserved refund holds its quantity, and its workflow is pending", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0.5", holds: 1 })
      const stored = yield* storedRefund(kept)
      assert.strictEqual(refundWorkflowStatus(documentsOf(stored)), "REFUND_PENDING")
      assert.strictEqual(stored.refund.id, kept.reservation.operation.id)
    })))

    it("[proves:REFUND_CUMULATIVE_QUANTITY_EXCEEDED] what others hold cannot be asked for", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      yield* reserve(original, { quantity: "1", payment: "CARD" })
      const reserved = yield* ask(original, { quantity: "0.251", payment: "CARD" })
      assert.isTrue(Result.isFailure(reserved))
      assert.strictEqual((Result.getOrThrow(Result.flip(reserved)) as { readonly code: string }).code, "REFUND_CUMULATIVE_QUANTITY_EXCEEDED")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1", holds: 1 })
    })))

    it("a refund written again, because the store lost it, holds what it held, whatever others took since", () => run(Effect.gen(function*() {
      const refunds = yield* RefundStore
      const original = yield* soldReceipt
      const lost = Result.getOrThrow(reservationOf(original, { quantity: "1", payment: "CASH" })(yield* refunds.ledger(original)))
      yield* reserve(original, { quantity: "1", payment: "CARD" })
      for (const time of ["the first time", "the second time"]) {
        assert.strictEqual((yield* refunds.reserveAgain(original, lost))._tag, "Reserved", time)
        assert.deepStrictEqual(yield* takenOf(original), { taken: "2", holds: 2 }, time)
      }
      yield* concluded(lost, "signed")
      const stored = yield* storedRefund(lost)
      assert.strictEqual(refundWorkflowStatus(documentsOf(stored)), "COPY_PENDING")
      assert.deepStrictEqual(plain(stored.entries), plain(lost.entries))
    })))

    it("the copy of a cash refund says of its buyer what the refund said, whoever sends it", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "1", payment: "CASH" })
      const buyerDetails = {
        legalName: "КЊИГЕ ДОО",
        taxIdentifier: "100000008",
        registrationNumber: null,
        address: "Кнеза Милоша 1",
        city: null,
        source: "NBS",
        resolvedAt: kept.reservation.operation.createdAt
      } as const
      const { operation } = kept.reservation
      yield* store.conclude({ ...signed(operation), workflow: operation.workflow, buyerDetails })
      const { copy } = yield* storedRefund(kept)
      assert.deepStrictEqual(plain(copy?.buyerDetails), plain(buyerDetails))
      if (copy === null) return
      yield* store.conclude({ ...sampleConclusion(copy, { event: "notSent", attemptOutcome: "NOT_SENT", failureCode: "PFR_UNAVAILABLE" }), attempt: 0 })
      assert.deepStrictEqual(plain((yield* storedRefund(kept)).copy?.buyerDetails), plain(buyerDetails))
    })))

    it("a signed refund takes for good; one that will not be a receipt gives back", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const first = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      const second = yield* reserve(original, { quantity: "0.25", payment: "CARD" })
      const third = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      yield* concluded(first, "signed")
      yield* concluded(second, "rejected")
      yield* concluded(third, "notSent")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0.5", holds: 0 })
      assert.strictEqual(refundWorkflowStatus(documentsOf(yield* storedRefund(first))), "COMPLETED")
      assert.strictEqual(refundWorkflowStatus(documentsOf(yield* storedRefund(second))), "FAILED")
    })))

    it("an unknown refund holds until it is known, however late", () => run(Effect.gen(function*() {
      const store = yield* OperationStore
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "1.25", payment: "CARD" })
      yield* concluded(kept, "noAnswer")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1.25", holds: 1 })
      yield* store.conclude({ ...signed(kept.reservation.operation), event: "found", workflow: kept.reservation.operation.workflow })
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1.25", holds: 0 })
    })))

    it("the outcome of a cash refund reserves its copy unsent, due for the worker", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "0.5", payment: "CASH" })
      assert.isNull((yield* storedRefund(kept)).copy)
      yield* concluded(kept, "signed")
      const { copy, refund } = yield* storedRefund(kept)
      assert.strictEqual(copy?.status, "VALIDATED")
      assert.strictEqual(copy?.boundKey.key, `${refund.boundKey.key}:copy`)
      assert.strictEqual(copy?.content.reference?.fiscalDocumentId, refund.id)
      assert.isNotNull(copy?.nextCheckAt)
      assert.strictEqual(refundWorkflowStatus(documentsOf(yield* storedRefund(kept))), "COPY_PENDING")
    })))

    it("a refund that turns out to be signed after its hold was given back counts, and says so where it is too much", () => run(
      Effect.gen(function*() {
        const store = yield* OperationStore
        const original = yield* soldReceipt
        const lost = yield* reserve(original, { quantity: "1", payment: "CARD" })
        yield* concluded(lost, "noAnswer")
        const { operation } = lost.reservation
        yield* store.conclude(sampleConclusion(operation, {
          event: "confirmedNotIssued",
          attemptOutcome: "NO_ANSWER",
          failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED",
          workflow: operation.workflow
        }))
        const again = yield* reserve(original, { quantity: "1", payment: "CARD" })
        yield* concluded(again, "signed")
        const late = yield* store.conclude({ ...signed(operation), event: "found", workflow: operation.workflow })
        assert.strictEqual(late._tag, "Applied")
        assert.deepStrictEqual(yield* takenOf(original), { taken: "2", holds: 0 })
        assert.strictEqual(refundWorkflowStatus(documentsOf(yield* storedRefund(lost))), "COMPLETED")
      })
    ))

    it("the same key again answers the operation that has it and holds nothing more", () => run(Effect.gen(function*() {
      const refunds = yield* RefundStore
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      const taken = yield* refunds.reserve(original, (ledger) =>
        Result.map(reservationOf(original, { quantity: "0.5", payment: "CARD" })(ledger), (other) => ({
          ...other,
          reservation: {
            ...other.reservation,
            operation: { ...other.reservation.operation, boundKey: kept.reservation.operation.boundKey }
          }
        })))
      const reserved = Result.getOrThrow(taken)
      assert.strictEqual(reserved._tag, "KeyTaken")
      assert.deepStrictEqual(yield* takenOf(original), { taken: "0.5", holds: 1 })
    })))

    it("200 refunds of one line at once never take more than was sold", () => run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const answers = yield* Effect.forEach(
        Array.from({ length: 200 }),
        () => ask(original, { quantity: "0.01", payment: "CARD" }),
        { concurrency: 200 }
      )
      const accepted = answers.filter((reserved) => Result.isSuccess(reserved)).length
      assert.strictEqual(accepted, 125)
      assert.deepStrictEqual(yield* takenOf(original), { taken: "1.25", holds: 125 })
    })), 60_000)

    it("another tenant's workflow is not there", () => run(Effect.gen(function*() {
      const refunds = yield* RefundStore
      const kept = yield* reserve(yield* soldReceipt, { quantity: "0.5", payment: "CARD" })
      const { organizationId } = kept.reservation.operation
      assert.isTrue(Option.isNone(yield* refunds.get(mintPlace(), kept.workflowId)))
      assert.isTrue(Option.isNone(yield* refunds.get({ organizationId, environment: "production" }, kept.workflowId)))
    })))
  })
}
