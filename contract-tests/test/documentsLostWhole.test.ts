import { MemoryOperations } from "@overa/adapter-memory"
import { OperationStore, reconcileDue, StoreUnavailable, type SubmissionOutcome } from "@overa/domain"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { due, key, lostAndRepeated, rejected, type Script, signed, storedOf } from "../src/support/lostAttemptStage.ts"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { failover, issue, notSent, run, scriptedVpfr, silence } from "../src/support/useCaseStage.ts"

describe("a document that a failover lost whole, while its second attempt was in flight and its key was repeated", () => {
  const secondAttempt = (script: Script, first: () => SubmissionOutcome) =>
    Effect.gen(function*() {
      script.outcome = () => Effect.sync(() => notSent)
      const { operation } = yield* issue(key)
      const { retry, ...known } = yield* lostAndRepeated(script, first, () => notSent)
      assert.notStrictEqual(retry.id, operation.id)
      return { ...known, id: retry.id, stored: yield* storedOf(retry.id) }
    })

  it("is not called retryable while that attempt may have a receipt: the repetition has the attempt, and is in doubt", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { id, sentSoFar, stored, told } = yield* secondAttempt(script, () => silence)
      assert.deepInclude(told, { id, status: "OUTCOME_UNKNOWN" })
      assert.deepStrictEqual(stored.attention.map(({ kind }) => kind), ["LOST_ATTEMPT"])
      assert.deepInclude((yield* issue(key)).operation, { id, status: "OUTCOME_UNKNOWN" })
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })

  it("has its receipt stored for the repetition", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { id, sentSoFar, told } = yield* secondAttempt(script, signed)
      assert.deepInclude(told, { id, status: "FISCALIZED" })
      assert.deepInclude((yield* issue(key)).operation, { id, status: "FISCALIZED", answer: told.answer })
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })
})

describe("a document that a failover lost whole, while its second attempt was in flight and nobody repeated its key", () => {
  const lostWhole = (script: Script, outcome: () => SubmissionOutcome) =>
    Effect.gen(function*() {
      script.outcome = () => Effect.succeed(notSent)
      const { operation } = yield* issue(key)
      script.outcome = () => Effect.delay(Effect.sync(outcome), "10 seconds")
      const sending = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("1 second")
      const requestId = (yield* storedOf(operation.id)).attempts.at(-1)?.requestId
      yield* failover
      yield* TestClock.adjust("20 seconds")
      const told = yield* Fiber.join(sending)
      script.outcome = () => Effect.sync(signed)
      return { id: operation.id, requestId, sentSoFar: script.submissions, stored: yield* storedOf(operation.id), told: told.operation }
    })

  it.each([["a receipt", signed, "FISCALIZED", "SIGNED"], ["no answer", () => silence, "OUTCOME_UNKNOWN", "NO_ANSWER"], ["a rejection", () => rejected, "REJECTED", "REJECTED"]] as const)(
    "is stored again with that attempt, %s: its key is not free, and nothing is sent twice",
    async (_, outcome, status, stored) => {
      const { layer, script } = scriptedVpfr()
      await run(layer, Effect.gen(function*() {
        const found = yield* lostWhole(script, outcome)
        assert.deepInclude(found.told, { id: found.id, status })
        assert.deepStrictEqual(found.stored.attempts.map(({ number, outcome: of, requestId }) => ({ number, of, requestId })), [{ number: 1, of: stored, requestId: found.requestId ?? "" }])
        assert.deepStrictEqual(found.stored.attention, [])
        assert.deepStrictEqual(found.stored.transitions.map(({ attempt, from, to }) => [from, to, attempt]), [
          [null, "RECEIVED", 0], ["RECEIVED", "VALIDATED", 0], ["VALIDATED", "SUBMITTING", 1], ["SUBMITTING", status, 1]
        ])
        assert.deepInclude((yield* issue(key)).operation, { id: found.id, status })
        assert.strictEqual(script.submissions, found.sentSoFar)
      }))
    }
  )

  it("becomes the receipt that the search for that attempt finds", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { id, requestId, sentSoFar } = yield* lostWhole(script, () => silence)
      const answer = sampleAnswer()
      script.searchOf = (asked) => asked === requestId ? { _tag: "Found", answer, remarks: [] } : { _tag: "NothingFound" }
      assert.strictEqual(yield* reconcileDue(due), 1)
      assert.deepInclude((yield* issue(key)).operation, { id, status: "FISCALIZED", answer })
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })

  it("gets that attempt's outcome although the store fails between its two commits", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const store = yield* OperationStore
      let failures = 3
      const conclude: typeof store.conclude = (conclusion) =>
        Effect.suspend(() => conclusion.attempt === 1 && script.submissions === 2 && failures-- > 0
          ? new StoreUnavailable({ committed: "no", cause: "the test's" })
          : store.conclude(conclusion))
      const found = yield* Effect.provideService(lostWhole(script, signed), OperationStore, OperationStore.of({ ...store, conclude }))
      assert.isBelow(failures, 0)
      assert.deepInclude(found.told, { id: found.id, status: "FISCALIZED" })
      assert.deepStrictEqual(found.stored.attempts.map(({ number, outcome }) => [number, outcome]), [[1, "SIGNED"]])
      assert.deepStrictEqual([found.stored.transitions.at(-1)?.attempt, found.stored.attention], [1, []])
      assert.strictEqual(script.submissions, found.sentSoFar)
    }))
  })

  it("may be sent again where that attempt was not sent, under the same id", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { id, sentSoFar, told } = yield* lostWhole(script, () => notSent)
      assert.deepInclude(told, { id, status: "NOT_FISCALIZED" })
      assert.deepInclude((yield* issue(key)).operation, { id, status: "FISCALIZED", attempt: 2 })
      assert.strictEqual(script.submissions, sentSoFar + 1)
    }))
  })
})

describe("a document whose element could not be opened at first, and whose first attempt a failover lost", () => {
  it.each([["its outcome comes before the key is repeated", false], ["its key was repeated meanwhile, and the element could not be opened again", true]] as const)(
    "has the receipt of that attempt, where %s",
    async (_, isRepeated) => {
      const { layer, script } = scriptedVpfr()
      await run(layer, Effect.gen(function*() {
        script.opens = false
        const { operation } = yield* issue(key)
        assert.deepInclude(operation, { status: "NOT_FISCALIZED", attempt: 0 })
        const memory = yield* MemoryOperations
        const before = yield* storedOf(operation.id)
        const kept = { ...before, attempts: [...before.attempts], transitions: [...before.transitions] }
        script.opens = true
        script.outcome = () => Effect.delay(Effect.sync(signed), "10 seconds")
        const sending = yield* Effect.forkChild(issue(key))
        yield* TestClock.adjust("1 second")
        const requestId = (yield* storedOf(operation.id)).attempts.at(-1)?.requestId ?? ""
        memory.byId.set(operation.id, kept)
        script.opens = !isRepeated
        if (isRepeated) assert.deepInclude((yield* issue(key)).operation, { id: operation.id, status: "NOT_FISCALIZED", attempt: 0 })
        yield* TestClock.adjust("20 seconds")
        const told = (yield* Fiber.join(sending)).operation
        assert.deepInclude(told, { id: operation.id, status: "FISCALIZED", attempt: 1 })
        const stored = yield* storedOf(operation.id)
        assert.deepStrictEqual(stored.attempts.map(({ number, outcome, requestId: id }) => [number, outcome, id]), [[1, "SIGNED", requestId]])
        assert.deepStrictEqual(stored.attention, [])
        assert.deepInclude((yield* issue(key)).operation, { id: operation.id, status: "FISCALIZED", answer: told.answer })
        assert.strictEqual(script.submissions, 1)
      }))
    }
  )

  it("gives its receipt to the repetition that has the key, which has no attempt either", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.delay(Effect.sync(signed), "10 seconds")
      const sending = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("1 second")
      yield* failover
      script.opens = false
      const { operation: repetition } = yield* issue(key)
      assert.deepInclude(repetition, { status: "NOT_FISCALIZED", attempt: 0 })
      yield* TestClock.adjust("20 seconds")
      const told = (yield* Fiber.join(sending)).operation
      assert.deepInclude(told, { id: repetition.id, status: "FISCALIZED" })
      yield* TestClock.adjust("1 hour")
      yield* reconcileDue(due)
      assert.deepStrictEqual([script.searches, (yield* storedOf(repetition.id)).nextCheckAt], [0, null], "there is no attempt to search for")
      assert.deepInclude((yield* issue(key)).operation, { id: repetition.id, status: "FISCALIZED", answer: told.answer })
      assert.strictEqual(script.submissions, 1)
    }))
  })
})
