import { decideUnknown, type FiscalDocumentId, OperationStore, reconcileDue } from "@overa/domain"
import { DateTime, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { boundKey, content, issue, place, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

describe("an unknown outcome", () => {
  const unknown = Effect.fnUntraced(function*(script: ReturnType<typeof scriptedVpfr>["script"]) {
    script.outcome = () => Effect.succeed(silence)
    const key = boundKey("key-0000000000000001", { a: "1" })
    const { operation } = yield* issue(key)
    assert.strictEqual(operation.status, "OUTCOME_UNKNOWN")
    return { key, operation }
  })
  const reasonOf = (id: FiscalDocumentId) =>
    Effect.map(Effect.flip(decide(id)), (error) => error._tag === "DecisionRefused" ? error.reason : error._tag)
  const decide = (id: FiscalDocumentId) => decideUnknown({ tenant, id, decision: { _tag: "CONFIRMED_NOT_ISSUED" }, operator: "ana" })

  it("is never sent again, whoever asks", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { key } = yield* unknown(script)
      const again = yield* issue(key)
      assert.strictEqual(again.operation.status, "OUTCOME_UNKNOWN")
      assert.strictEqual(script.submissions, 1)
    }))
  })

  it("becomes a receipt when the search finds it", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const store = yield* OperationStore
      const { operation } = yield* unknown(script)
      script.search = () => ({ _tag: "Found", answer: sampleAnswer(), remarks: [] })
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 1)
      const found = Option.getOrThrow(yield* store.get(tenant, operation.id))
      assert.strictEqual(found.status, "FISCALIZED")
    }))
  })

  it("stays unknown when nothing is found, and is asked for again after 5 s, then 30 s", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      yield* unknown(script)
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 1)
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 0)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 1)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 1)
    }))
  })

  it("is decided by an operator no earlier than a quarter of an hour after the deadline, and only after a search that was answered", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { key, operation } = yield* unknown(script)
      assert.include(yield* reasonOf(operation.id), "too early")
      yield* TestClock.adjust("16 minutes")
      assert.include(yield* reasonOf(operation.id), "never searched")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      const decided = yield* decide(operation.id)
      assert.deepInclude(decided, { status: "NOT_FISCALIZED", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED" })
      const before = script.searches
      script.outcome = () => Effect.succeed({ _tag: "Signed", answer: sampleAnswer(), remarks: [] })
      const driven = yield* issue(key)
      assert.strictEqual(script.searches, before + 1, "every earlier RequestId is searched again before anything is sent")
      assert.deepInclude(driven.operation, { status: "FISCALIZED", attempt: 2 })
    }))
  })

  it("that an operator called not issued is not sent again when the V-PFR cannot be asked", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { key, operation } = yield* unknown(script)
      yield* TestClock.adjust("16 minutes")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      yield* decide(operation.id)
      script.search = () => ({ _tag: "NoAnswer", detail: "down" })
      const asked = yield* issue(key)
      assert.strictEqual(asked.operation.status, "NOT_FISCALIZED")
      assert.strictEqual(script.submissions, 1)
      script.search = () => ({ _tag: "Found", answer: sampleAnswer(), remarks: [] })
      const found = yield* issue(key)
      assert.deepInclude(found.operation, { status: "FISCALIZED" })
      assert.strictEqual(script.submissions, 1, "the receipt was there all the time")
    }))
  })

  it("of a dead host becomes visible at the end of its lease, to a waiting duplicate too", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const store = yield* OperationStore
      const key = boundKey("key-0000000000000001", { a: "1" })
      const at = yield* DateTime.now
      const id = mintUuid() as FiscalDocumentId
      yield* store.reserve({
        operation: {
          ...place, ...tenant, content, workflow: null, id, clientId: "x", boundKey: key, status: "SUBMITTING", attempt: 1, failureCode: null, rejection: null,
          answer: null, buyerDetails: null, createdAt: at, updatedAt: at, nextCheckAt: null
        },
        attempt: {
          operationId: id, number: 1, requestId: "0".repeat(32), elementId: place.signer.elementId, jid: "ABCD2345", hostId: "dead", bootId: "1",
          startedAt: at, outcome: null, lastSearch: null
        },
        transitions: [],
        leaseMillis: 50_000
      })
      const waiting = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("49 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      const answer = yield* Fiber.join(waiting)
      assert.deepInclude(answer, { replayed: true })
      assert.strictEqual(answer.operation.status, "OUTCOME_UNKNOWN")
    }))
  })
})
