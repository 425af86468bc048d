import { acknowledge, MemoryOperations } from "@overa/adapter-memory"
import { decideUnknown, type FiscalDocumentId, type Operation, readDocument, readOperation, reconcileDue, StoreUnavailable, type SubmissionOutcome, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { due, key, lostAndRepeated, rejected, signed, storedOf } from "../src/support/lostAttemptStage.ts"
import { sampleAnswer, sampleAttempt } from "../src/support/sampleOperations.ts"
import { boundKey, failover, issue, notSent, place, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

const isAcknowledged = (id: FiscalDocumentId, kind: string) => Effect.map(MemoryOperations, (memory) => acknowledge(memory, id, kind))

/** What every reader is told. */
const readings = Effect.fnUntraced(function*(id: FiscalDocumentId) {
  const read = yield* readDocument(tenant, id)
  const { operation, summary } = yield* readOperation(tenant, id)
  return { read: read.status, operation: operation.status, summary }
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
      yield* unresolved.raise({ ...tenant, operationId: operation.id }, [{ kind: "LOST_ATTEMPT", detail: "x", evidence: null }], now, { attempt, of: copy, actor: "api:host-b" })
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
