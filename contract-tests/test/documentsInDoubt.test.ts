import { acknowledge, MemoryOperations } from "@overa/adapter-memory"
import { decideUnknown, type FiscalDocumentId, type Operation, OperationStore, readDocument, readOperation, reconcileDue, StoreUnavailable, type SubmissionOutcome, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { sampleAnswer, sampleAttempt } from "../src/support/sampleOperations.ts"
import { boundKey, failover, issue, notSent, place, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

const key = boundKey("key-0000000000000001", { a: "1" })
const due = { limit: 10, concurrency: 1 }
const signed = (): SubmissionOutcome => ({ _tag: "Signed", answer: sampleAnswer(), remarks: [] })
const rejected: SubmissionOutcome = { _tag: "Rejected", rejection: { items: [] }, text: "{}" }

type Script = ReturnType<typeof scriptedVpfr>["script"]

const storedOf = (id: FiscalDocumentId) =>
  Effect.map(MemoryOperations, ({ byId }) => {
    const stored = byId.get(id)
    return stored ?? assert.fail("it is not stored")
  })

const isAcknowledged = (id: FiscalDocumentId, kind: string) => Effect.map(MemoryOperations, (memory) => acknowledge(memory, id, kind))

/** A request is sent, a failover loses its attempt, and its repetition ends as `second` before the first one's outcome comes. */
const lostAndRepeated = Effect.fnUntraced(function*(script: Script, first: () => SubmissionOutcome, second: () => SubmissionOutcome, repetition = key) {
  script.outcome = () => Effect.delay(Effect.sync(first), "10 seconds")
  const sent = yield* Effect.forkChild(issue(key))
  yield* TestClock.adjust("1 second")
  yield* failover
  script.outcome = () => Effect.sync(second)
  const { operation: retry } = yield* issue(repetition)
  yield* TestClock.adjust("20 seconds")
  const answered = yield* Effect.result(Fiber.join(sent))
  const told = Result.isSuccess(answered) ? answered.success.operation : assert.fail(answered.failure._tag)
  script.outcome = () => Effect.sync(signed)
  return { retry, told, sentSoFar: script.submissions }
})

/** What every reader is told. */
const readings = Effect.fnUntraced(function*(id: FiscalDocumentId) {
  const read = yield* readDocument(tenant, id)
  const { operation, summary } = yield* readOperation(tenant, id)
  return { read: read.status, operation: operation.status, summary }
})

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

describe("a document whose attempt a failover lost, after its repetition was not sent", () => {
  it("is not called retryable while the attempt may have a receipt, to nobody, and is not sent", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry, sentSoFar, told } = yield* lostAndRepeated(script, () => silence, () => notSent)
      assert.deepInclude(told, { id: retry.id, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN" })
      const again = yield* issue(key)
      assert.deepInclude(again, { replayed: true })
      assert.deepInclude(again.operation, { id: retry.id, status: "OUTCOME_UNKNOWN" })
      const { summary, ...statuses } = yield* readings(retry.id)
      assert.deepStrictEqual(statuses, { read: "OUTCOME_UNKNOWN", operation: "OUTCOME_UNKNOWN" })
      assert.include(summary, "a receipt may exist")
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })

  it("becomes the receipt of the lost attempt when the search finds it", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry, sentSoFar } = yield* lostAndRepeated(script, () => silence, () => notSent)
      const lost = (yield* storedOf(retry.id)).attempts.at(-1)
      const answer = sampleAnswer()
      script.searchOf = (asked) => asked === lost?.requestId ? { _tag: "Found", answer, remarks: [] } : { _tag: "NothingFound" }
      assert.strictEqual(yield* reconcileDue(due), 1)
      assert.deepInclude((yield* issue(key)).operation, { id: retry.id, status: "FISCALIZED", answer })
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })

  it("is sent after a person has acknowledged the item, no earlier than a decision could be made, and only after a search for the lost attempt", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry, sentSoFar } = yield* lostAndRepeated(script, () => silence, () => notSent)
      const lost = (yield* storedOf(retry.id)).attempts.at(-1)?.requestId
      yield* isAcknowledged(retry.id, "LOST_ATTEMPT")
      assert.strictEqual((yield* readings(retry.id)).read, "NOT_FISCALIZED")
      const asked: Array<string> = []
      script.searchOf = (requestId) => {
        asked.push(requestId)
        return { _tag: "NoAnswer", detail: "down" }
      }
      assert.strictEqual((yield* issue(key)).operation.status, "NOT_FISCALIZED")
      assert.deepStrictEqual([asked, script.submissions], [[lost], sentSoFar], "nothing is sent before the search is answered")
      script.searchOf = null
      assert.strictEqual((yield* issue(key)).operation.status, "NOT_FISCALIZED", "its receipt may still come")
      yield* TestClock.adjust("16 minutes")
      assert.strictEqual((yield* issue(key)).operation.status, "FISCALIZED")
      assert.strictEqual(script.submissions, sentSoFar + 1)
    }))
  })

  it("is the receipt that the search finds before it would be sent again", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry, sentSoFar } = yield* lostAndRepeated(script, () => silence, () => notSent)
      yield* isAcknowledged(retry.id, "LOST_ATTEMPT")
      script.search = () => ({ _tag: "Found", answer: sampleAnswer(), remarks: [] })
      assert.strictEqual((yield* issue(key)).operation.status, "FISCALIZED")
      assert.strictEqual(script.submissions, sentSoFar)
    }))
  })

  it("is decided by nobody while the item is open", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry } = yield* lostAndRepeated(script, () => silence, () => silence)
      yield* TestClock.adjust("16 minutes")
      yield* reconcileDue(due)
      const decide = Effect.result(decideUnknown({ tenant, id: retry.id, decision: { _tag: "CONFIRMED_NOT_ISSUED" }, operator: { name: "ana", reason: "ticket 88" } }))
      const refused = yield* decide
      assert.include(Result.isFailure(refused) && refused.failure._tag === "DecisionRefused" ? refused.failure.reason : "", "acknowledge the item first")
      yield* isAcknowledged(retry.id, "LOST_ATTEMPT")
      const decided = yield* decide
      assert.strictEqual(Result.isSuccess(decided) ? decided.success.status : "refused", "NOT_FISCALIZED")
    }))
  })
})

describe("somebody who holds the receipt of a lost attempt", () => {
  it.each([[() => notSent, "FISCALIZED"], [() => rejected, "refused"]] as const)("decides of a document in doubt that has none and may have one", async (second, expected) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { retry } = yield* lostAndRepeated(script, () => silence, second)
      const attempt = (yield* storedOf(retry.id)).attempts.length
      const decision = { _tag: "CONFIRMED_ISSUED" as const, attempt, answer: sampleAnswer(), despite: [] }
      const decided = yield* Effect.result(decideUnknown({ tenant, id: retry.id, decision, operator: { name: "ana", reason: "ticket 88" } }))
      assert.strictEqual(Result.isSuccess(decided) ? decided.success.status : "refused", expected)
    }))
  })
})

describe("a lost attempt whose receipt cannot become the repetition's", () => {
  const open = async (first: () => SubmissionOutcome, second: () => SubmissionOutcome, repetition = key) => {
    const { layer, script } = scriptedVpfr()
    return run(layer, Effect.gen(function*() {
      const { retry, sentSoFar, told } = yield* lostAndRepeated(script, first, second, repetition)
      const [item] = (yield* storedOf(retry.id)).attention
      const before = (yield* issue(repetition)).operation.status
      assert.strictEqual(script.submissions, sentSoFar, "nothing is sent while the item is open")
      yield* isAcknowledged(retry.id, item?.kind ?? "")
      return { told: told.status, item: item?.kind, before, after: (yield* readings(retry.id)).read }
    }))
  }

  it("because the repetition was rejected: its outcome is unknown until the item is acknowledged", async () => {
    const found = await open(signed, () => rejected)
    assert.deepStrictEqual(found, { told: "OUTCOME_UNKNOWN", item: "SECOND_RECEIPT", before: "OUTCOME_UNKNOWN", after: "REJECTED" })
  })

  it.each([["a receipt", signed, "SECOND_RECEIPT"], ["no answer", () => silence, "LOST_ATTEMPT"]] as const)(
    "because another body has its key, %s: the other's outcome is unknown until the item is acknowledged",
    async (_, first, kind) => {
      const found = await open(first, () => notSent, boundKey(key.key, { a: "2" }))
      assert.deepStrictEqual(found, { told: "OUTCOME_UNKNOWN", item: kind, before: "OUTCOME_UNKNOWN", after: "NOT_FISCALIZED" })
    }
  )
})

describe("an attempt that was added to a document and lost, and that the document refuses now because it is in doubt", () => {
  it.each([["no answer", () => silence, "OUTCOME_UNKNOWN"], ["a receipt", signed, "FISCALIZED"]] as const)("%s: it is not forgotten", async (_, outcome, status) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(notSent)
      const { operation } = yield* issue(key)
      const memory = yield* MemoryOperations
      const before = yield* storedOf(operation.id)
      const kept = { ...before, attempts: [...before.attempts], transitions: [...before.transitions] }
      script.outcome = () => Effect.delay(Effect.sync(outcome), "10 seconds")
      const sending = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("1 second")
      const lost = (yield* storedOf(operation.id)).attempts.at(-1)
      if (lost?.number !== 2) return assert.fail("the second attempt is not stored")
      memory.byId.set(operation.id, kept)
      const unresolved = yield* UnresolvedOperations
      yield* unresolved.raise({ ...tenant, operationId: operation.id }, [{ kind: "LOST_ATTEMPT", detail: "another", evidence: null }], yield* DateTime.now)
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(sending)
      assert.strictEqual((yield* readings(operation.id)).read, status)
      const stored = yield* storedOf(operation.id)
      if (status !== "FISCALIZED") assert.deepInclude(stored.attempts.at(-1), { number: 2, requestId: lost.requestId })
    }))
  })
})

describe("an item that the store does not take", () => {
  it("is tried again after the caller was answered", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const unresolved = yield* UnresolvedOperations
      let failures = 80
      const failing = <A>(effect: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
        Effect.suspend(() => (failures-- > 0 ? new StoreUnavailable({ committed: "no", cause: "the test's" }) : effect))
      const troubled = UnresolvedOperations.of({ ...unresolved, raise: (...raised) => failing(unresolved.raise(...raised)) })
      script.outcome = () => Effect.delay(Effect.succeed(silence), "10 seconds")
      const sent = yield* Effect.forkChild(Effect.provideService(issue(key), UnresolvedOperations, troubled))
      yield* TestClock.adjust("1 second")
      yield* failover
      script.outcome = () => Effect.succeed(notSent)
      const { operation: retry } = yield* issue(key)
      yield* TestClock.adjust("1 minute")
      const { operation: told } = yield* Fiber.join(sent)
      assert.strictEqual(told.status, "OUTCOME_UNKNOWN")
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual((yield* storedOf(retry.id)).attention.map(({ kind }) => kind), ["LOST_ATTEMPT"])
      assert.strictEqual((yield* readings(retry.id)).read, "OUTCOME_UNKNOWN")
    }))
  })
})

describe("a copy that the service sends, in doubt", () => {
  it("is not sent by the worker until the item is acknowledged, however long that takes", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(notSent)
      const { operation } = yield* issue(key)
      const stored = yield* storedOf(operation.id)
      const copy: Operation = { ...stored.operation, boundKey: { ...key, role: "INNER" }, content: { ...operation.content, invoiceType: "COPY" } }
      stored.operation = copy
      const now = yield* DateTime.now
      const attempt = sampleAttempt(operation, { startedAt: now, elementId: place.signer.elementId })
      const unresolved = yield* UnresolvedOperations
      yield* unresolved.raise({ ...tenant, operationId: operation.id }, [{ kind: "LOST_ATTEMPT", detail: "x", evidence: null }], now, { attempt, actor: "api:host-b" })
      script.outcome = () => Effect.sync(signed)
      for (let hour = 0; hour < 24 * 9; hour++) {
        yield* TestClock.adjust("1 hour")
        yield* reconcileDue(due)
      }
      assert.strictEqual(script.submissions, 1)
      assert.isAtMost(script.searches, 24 * 9, "it is searched for, at most once an hour")
      yield* isAcknowledged(operation.id, "LOST_ATTEMPT")
      yield* TestClock.adjust("1 hour")
      yield* reconcileDue(due)
      assert.strictEqual((yield* readings(operation.id)).read, "FISCALIZED")
      assert.strictEqual(script.submissions, 2)
    }))
  })
})
