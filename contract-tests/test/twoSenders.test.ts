import { type Operation, OperationStore, type SubmissionOutcome } from "@overa/domain"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { sendStored } from "../../domain/src/use-cases/issuing/sendReserved.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer, sampleContent, sampleOperation } from "../src/support/sampleOperations.ts"
import { boundKey, notSent, place, run, scriptedVpfr, tenant } from "../src/support/useCaseStage.ts"

/** The copy of a cash refund, reserved and not sent, as every request reads it that the refund's outcome wakes. */
const reservedCopy = (): Operation =>
  sampleOperation({ ...tenant, taxpayerId: place.taxpayerId, businessPremiseId: place.businessPremiseId }, {
    boundKey: { ...boundKey("refund-key-0000000001:copy", {}), role: "INNER" },
    content: { ...sampleContent(), invoiceType: "COPY", transactionType: "REFUND" },
    workflow: { type: "REFUND", id: mintUuid() as never },
    status: "VALIDATED",
    attempt: 0
  })

const signed: SubmissionOutcome = { _tag: "Signed", answer: sampleAnswer(), remarks: [] }

/** Two requests that have read the copy unsent; the second one looks for earlier attempts while the first one's is in flight. */
const bothSend = (signs: boolean) => {
  const { layer, script } = scriptedVpfr()
  return run(layer, Effect.gen(function*() {
    const copy = reservedCopy()
    yield* (yield* OperationStore).reserve({ operation: copy, attempt: null, transitions: [], leaseMillis: 0 })
    const [arrived, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    script.outcome = () =>
      Effect.andThen(Deferred.succeed(arrived, undefined), Effect.as(Deferred.await(answered), signs ? signed : notSent))
    const send = sendStored(copy, { by: "caller", callerGone: new AbortController().signal })
    const first = yield* Effect.forkChild(send)
    yield* Deferred.await(arrived)
    const second = yield* Effect.forkChild(send, { startImmediately: true })
    yield* TestClock.adjust("1 second")
    const isWaiting = second.pollUnsafe() === undefined
    yield* Deferred.succeed(answered, undefined)
    yield* TestClock.adjust("1 second")
    return { isWaiting, told: [yield* Fiber.join(first), yield* Fiber.join(second)], script }
  }))
}

describe("two requests that send the same stored document", () => {
  it.each([[true, "FISCALIZED"], [false, "NOT_FISCALIZED"]] as const)("the later one waits for the earlier one's outcome, signed: %s", async (signs, status) => {
    const { isWaiting, script, told } = await bothSend(signs)
    assert.isTrue(isWaiting, "the outcome is not known yet")
    assert.deepStrictEqual(told.map((sent) => [sent?.operation.status, sent?.replayed]), [[status, false], [status, true]])
    assert.deepStrictEqual([script.submissions, script.searches], [1, 0])
  })
})
