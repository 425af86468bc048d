import { AttentionOversight, cashCopyOf, derivedRequestId, type Operation, OperationStore, type RefundReservation, RefundStore, type SignedAnswer, UnresolvedOperations } from "@overa/domain"
import { Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import { acknowledgeInPostgres } from "../src/support/acknowledgeInPostgres.ts"
import { postgresStage } from "../src/support/postgresStage.ts"
import { concluded, reserve, soldReceipt } from "../src/support/refundSamples.ts"
import { after, sampleAnswer, sampleAttempt, sampleConclusion } from "../src/support/sampleOperations.ts"
import { attemptsOf } from "../src/support/storeSuite.ts"

const stage = postgresStage()

const item = { kind: "LOST_ATTEMPT", detail: "the store lost this document with an attempt", evidence: null }

/** The copy of a refund that is a receipt, as its process knows it before the store loses the refund's outcome and the copy. */
const copyOf = ({ copyId, reservation: { operation } }: RefundReservation, answer: SignedAnswer): Operation => {
  const refund: Operation = { ...operation, status: "FISCALIZED", answer }
  const copy = copyId === null ? null : cashCopyOf(refund, copyId, after(2), "worker:host-b")
  return copy?.operation ?? assert.fail("a cash refund has a copy")
}

/**
 * A process has sent the copy of a refund's receipt, which the store has lost together with the outcome of the refund, and gives its attempt back; then
 * the refund has a receipt: the same one, or another.
 */
const lostAndMadeAgain = Effect.fnUntraced(function*(receipt: "same" | "another") {
  const kept = yield* reserve(yield* soldReceipt, { quantity: "1", payment: "CASH" })
  const answer = sampleAnswer()
  const copy = copyOf(kept, answer)
  const attempt = sampleAttempt(copy, { requestId: derivedRequestId(copy, 2) ?? assert.fail("its RequestIds are not derived"), startedAt: after(3) })
  const unresolved = yield* UnresolvedOperations
  const about = { organizationId: copy.organizationId, operationId: copy.id }
  for (let times = 0; times < 2; times++) yield* unresolved.raise(about, [item], after(4), { attempt, of: copy, actor: "worker:host-b" })
  assert.strictEqual((yield* concluded(kept, "signed", receipt === "same" ? answer : sampleAnswer()))._tag, "Applied")
  const made = Option.getOrThrow(yield* (yield* OperationStore).get(copy, copy.id))
  yield* unresolved.expireLeases("worker:host-w", after(60_000), 10_000)
  return { attempt, copy, made }
})

describe("PostgreSQL: a copy that a failover lost with its attempt, and that is reserved again with its refund's outcome", () => {
  it("has the attempt, is searched for and in doubt, and is not sent", () => stage.run(Effect.gen(function*() {
    const { attempt, copy, made } = yield* lostAndMadeAgain("same")
    assert.deepInclude(made, { status: "SUBMITTING", attempt: 1 }, "as an attempt whose lease has ended")
    const store = yield* OperationStore
    const told = Option.getOrThrow(yield* store.get(copy, copy.id))
    assert.deepInclude(told, { status: "OUTCOME_UNKNOWN", attempt: 1 })
    assert.isDefined(told.inDoubt)
    assert.deepStrictEqual((yield* attemptsOf(copy.organizationId, copy.id)).map(({ number, outcome, requestId }) => [number, outcome, requestId]), [[1, null, attempt.requestId]])
    const redrive = {
      operation: { ...copy, status: "SUBMITTING" as const, attempt: 2 },
      attempt: sampleAttempt(copy, { number: 2 }),
      transition: { from: told.inDoubt ?? copy.status, to: "SUBMITTING" as const, at: after(9), cause: "redriven" as const, actor: "worker:host-b", attempt: 2 },
      leaseMillis: 50_000
    }
    assert.isFalse(yield* store.redrive(redrive))
    const claims = yield* UnresolvedOperations.use((unresolved) => unresolved.claimDue({ limit: 10_000, leaseMillis: 60_000, actor: "worker:host-w", hostId: "host-w", at: after(70_000) }))
    assert.deepStrictEqual(claims.find(({ operation }) => operation.id === copy.id)?.attempts.map(({ requestId }) => requestId), [attempt.requestId])
    const found = sampleConclusion(copy, { event: "found", attempt: 1, attemptOutcome: "SIGNED", answer: sampleAnswer(), actor: "worker:host-w" })
    assert.strictEqual((yield* store.conclude({ ...found, workflow: copy.workflow }))._tag, "Applied")
    const refund = copy.workflow === null ? Option.none() : yield* RefundStore.use((refunds) => refunds.get(copy, copy.workflow?.id ?? assert.fail("it has no workflow")))
    assert.deepInclude(Option.getOrThrow(refund).copy, { id: copy.id, status: "FISCALIZED" })
  })))

  it("is no longer in doubt once a person has acknowledged the item", () => stage.run(Effect.gen(function*() {
    const { copy } = yield* lostAndMadeAgain("same")
    yield* acknowledgeInPostgres(stage.url)(copy, "LOST_ATTEMPT")
    const told = Option.getOrThrow(yield* (yield* OperationStore).get(copy, copy.id))
    assert.deepInclude(told, { status: "OUTCOME_UNKNOWN", attempt: 1 })
    assert.isUndefined(told.inDoubt)
  })))

  it("does not have an attempt of the copy of another receipt, which had its key: a person is told, and it is in doubt", () => stage.run(Effect.gen(function*() {
    const { attempt, copy, made } = yield* lostAndMadeAgain("another")
    assert.deepInclude(made, { status: "OUTCOME_UNKNOWN", inDoubt: "VALIDATED", attempt: 0 })
    assert.deepStrictEqual(yield* attemptsOf(copy.organizationId, copy.id), [])
    const items = yield* AttentionOversight.use((attention) => attention.attentionOf(copy.organizationId, copy.id))
    assert.isTrue(items.some(({ detail, kind }) => kind === "LOST_ATTEMPT" && detail.includes(attempt.requestId)))
  })))
})
