import {
  askRefund,
  consumeAfterRelease,
  consumeRefund,
  holdRefund,
  holdsFollow,
  openLedger,
  type Operation,
  type RefundLedger,
  type RefundReservation,
  releaseRefund,
  RefundStore
} from "@overa/domain"
import { BigDecimal, Effect, type Layer, Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { ask, concluded, decimal, itemOf, type RefundStores, soldReceipt } from "../support/refundSamples.ts"

type Step =
  | { readonly _tag: "Ask"; readonly thousandths: number; readonly payment: "CASH" | "CARD" }
  | { readonly _tag: "Conclude"; readonly which: number; readonly event: "signed" | "rejected" | "notSent" | "noAnswer" }

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    fc.record({ _tag: fc.constant("Ask" as const), thousandths: fc.integer({ min: 1, max: 1_300 }), payment: fc.constantFrom("CASH" as const, "CARD" as const) }),
    fc.record({
      _tag: fc.constant("Conclude" as const),
      which: fc.nat(7),
      event: fc.constantFrom("signed" as const, "rejected" as const, "notSent" as const, "noAnswer" as const)
    })
  ),
  { minLength: 1, maxLength: 14 }
)

interface Model {
  ledger: RefundLedger
  readonly refunds: Array<{ readonly kept: RefundReservation; holds: "HELD" | "CONSUMED" | "RELEASED" }>
}

const askBoth = Effect.fnUntraced(function*(model: Model, original: Operation, step: Extract<Step, { readonly _tag: "Ask" }>) {
  const quantity = (step.thousandths / 1_000).toFixed(3)
  const allowed = Result.isSuccess(askRefund(original.content.items, model.ledger, [itemOf(original, quantity)]))
  const reserved = yield* ask(original, { quantity, payment: step.payment })
  assert.strictEqual(Result.isSuccess(reserved), allowed, `${quantity} is allowed exactly where the domain's account allows it`)
  if (Result.isFailure(reserved) || reserved.success._tag === "KeyTaken") return
  const { kept } = reserved.success
  model.ledger = holdRefund(model.ledger, kept.workflowId, kept.entries)
  model.refunds.push({ kept, holds: "HELD" })
})

const concludeBoth = Effect.fnUntraced(function*(model: Model, step: Extract<Step, { readonly _tag: "Conclude" }>) {
  const refund = model.refunds[step.which % Math.max(model.refunds.length, 1)]
  if (refund === undefined) return
  const applied = yield* concluded(refund.kept, step.event)
  if (applied._tag !== "Applied") return
  const holds = holdsFollow(applied.operation.status)
  if (holds === refund.holds) return
  const { entries, workflowId } = refund.kept
  if (holds === "RELEASED") model.ledger = releaseRefund(model.ledger, workflowId)
  else model.ledger = refund.holds === "RELEASED" ? consumeAfterRelease(model.ledger, entries) : consumeRefund(model.ledger, workflowId)
  refund.holds = holds
})

const sums = (ledger: RefundLedger) => ({
  lines: ledger.lines.map(({ amountTaken, quantityTaken }) => [BigDecimal.format(BigDecimal.normalize(quantityTaken)), BigDecimal.format(BigDecimal.normalize(amountTaken))]),
  holds: ledger.holds.map(({ workflowId }) => String(workflowId)).toSorted()
})

const sameAccount = Effect.fnUntraced(function*(sequence: ReadonlyArray<Step>) {
  const refunds = yield* RefundStore
  const original = yield* soldReceipt
  const model: Model = { ledger: openLedger(original.content.items), refunds: [] }
  for (const step of sequence) {
    yield* step._tag === "Ask" ? askBoth(model, original, step) : concludeBoth(model, step)
    assert.deepStrictEqual(sums(yield* refunds.ledger(original)), sums(model.ledger), JSON.stringify(step))
  }
  assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(model.ledger.lines[0]?.quantityTaken ?? decimal("0"), decimal("0")))
})

/** Whatever is requested and however it ends, the store's sums equal those of the domain's ledger (`RefundLedger`), step by step. */
export const refundAccountContract = (name: string, layer: () => Layer.Layer<RefundStores, unknown>, runs: number): void => {
  describe(`${name}: the account of a refunded receipt`, () => {
    it("has the sums of the domain's own account after every step", async () => {
      await fc.assert(
        fc.asyncProperty(steps, (sequence) => Effect.runPromise(Effect.provide(sameAccount(sequence), layer()))),
        { numRuns: runs, endOnFailure: true }
      )
    }, 120_000)
  })
}
