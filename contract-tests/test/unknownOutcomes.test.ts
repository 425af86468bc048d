import { MemoryOperations } from "@overa/adapter-memory"
import {
  decideUnknown,
  ElementContacts,
  type FiscalDocumentId,
  OperationStore,
  reconcileDue,
  UnresolvedOperations
} from "@overa/domain"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { boundKey, content, issue, place, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

describe("an unknown outcome", () => {
  const unknown = Effect.fnUntraced(function*(script: ReturnType<typeof scriptedVpfr>["script"], name = "key-0000000000000001") {
    script.outcome = () => Effect.succeed(silence)
    const key = boundKey(name, { a: "1" })
    const { operation } = yield* issue(key)
    assert.strictEqual(operation.status, "OUTCOME_UNKNOWN")
    return { key, operation }
  })
  const reasonOf = (id: FiscalDocumentId) =>
    Effect.map(Effect.flip(decide(id)), (error) => error._tag === "DecisionRefused" ? error.reason : error._tag)
  const decide = (id: FiscalDocumentId) => decideUnknown({ tenant, id, decision: { _tag: "CONFIRMED_NOT_ISSUED" }, operator: { name: "ana", reason: "ticket 88" } })

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
      assert.include(yield* reasonOf(operation.id), "there was none yet")
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

  it.each([
    ["goes unanswered", { _tag: "NoAnswer", detail: "silence" }, "got no answer"],
    ["finds another receipt", { _tag: "FoundForeign", text: "{}", detail: "another amount" }, "found a receipt"]
  ] as const)("an operator does not call it not issued when the last search %s, whatever an earlier one said", async (_, last, why) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { operation } = yield* unknown(script)
      yield* TestClock.adjust("16 minutes")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      script.search = () => last
      for (let searches = 0; searches < 3; searches++) {
        yield* TestClock.adjust("1 hour")
        yield* reconcileDue({ limit: 10, concurrency: 1 })
      }
      assert.include(yield* reasonOf(operation.id), why)
      const memory = yield* MemoryOperations
      const raised = memory.byId.get(operation.id)?.attention.map(({ kind }) => kind)
      assert.deepStrictEqual(raised, last._tag === "FoundForeign" ? ["FOREIGN_ANSWER"] : [], "raised once, however often it is found")
      script.search = () => ({ _tag: "NothingFound" })
      yield* TestClock.adjust("1 hour")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      assert.strictEqual((yield* decide(operation.id)).status, "NOT_FISCALIZED")
    }))
  })

  it("an operator who holds the receipt decides whatever speaks against it, and what was found is kept", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { operation } = yield* unknown(script)
      const answer = sampleAnswer()
      const decision = { _tag: "CONFIRMED_ISSUED" as const, attempt: 1, answer, despite: ["the buyer differs"] }
      const decided = yield* decideUnknown({ tenant, id: operation.id, decision, operator: { name: "ana", reason: "ticket 88" } })
      assert.strictEqual(decided.answer?.pfr.invoiceNumber, answer.pfr.invoiceNumber)
      const memory = yield* MemoryOperations
      const [item] = memory.byId.get(operation.id)?.attention ?? []
      assert.deepInclude(item, { kind: "CONFIRMED_DESPITE_CHECKS", evidence: answer.text })
    }))
  })

  it("an earlier attempt stays searched for after a later one was found, for seven days and no longer", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { key, operation } = yield* unknown(script)
      yield* TestClock.adjust("16 minutes")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      yield* decide(operation.id)
      yield* issue(key)
      const memory = yield* MemoryOperations
      const second = memory.byId.get(operation.id)?.attempts[1]
      script.searchOf = (requestId) => requestId === second?.requestId
        ? { _tag: "Found", answer: sampleAnswer(), remarks: [] }
        : { _tag: "NothingFound" }
      yield* TestClock.adjust("2 hours")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      assert.strictEqual(memory.byId.get(operation.id)?.operation.status, "FISCALIZED")
      const before = script.searches
      yield* TestClock.adjust("2 hours")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      assert.strictEqual(script.searches, before + 1, "the first attempt alone")
      yield* TestClock.adjust("8 days")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 0)
      assert.isNull(memory.byId.get(operation.id)?.nextCheckAt)
    }))
  })

  it("a check that dies is set aside, raised and tried again later, and stands in no other's way", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const poisoned = yield* unknown(script)
      const other = yield* unknown(script, "key-0000000000000002")
      const memory = yield* MemoryOperations
      const requestId = memory.byId.get(poisoned.operation.id)?.attempts[0]?.requestId
      script.searchOf = (asked) => {
        if (asked === requestId) throw new Error("a receipt nobody can read")
        return { _tag: "Found", answer: sampleAnswer(), remarks: [] }
      }
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 2 }), 2)
      assert.strictEqual(memory.byId.get(other.operation.id)?.operation.status, "FISCALIZED")
      const stored = memory.byId.get(poisoned.operation.id)
      assert.strictEqual(stored?.operation.status, "OUTCOME_UNKNOWN")
      assert.deepStrictEqual(stored?.attention.map(({ kind }) => kind), ["CHECK_FAILED"])
      script.searchOf = () => ({ _tag: "Found", answer: sampleAnswer(), remarks: [] })
      yield* TestClock.adjust("1 minute")
      yield* reconcileDue({ limit: 10, concurrency: 2 })
      assert.strictEqual(memory.byId.get(poisoned.operation.id)?.operation.status, "FISCALIZED")
    }))
  })

  it("is due as soon as its element answers again, for a process that knows nothing of it", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      yield* unknown(script)
      yield* TestClock.adjust("1 minute")
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 0)
      const unresolved = yield* UnresolvedOperations
      const restarted = ElementContacts.layer.pipe(Layer.provide(Layer.succeed(UnresolvedOperations, unresolved)), Layer.fresh)
      yield* Effect.provide(Effect.flatMap(ElementContacts, (contacts) => contacts.answered(place.signer.elementId)), restarted)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* reconcileDue({ limit: 10, concurrency: 1 }), 1)
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
          operationId: id, number: 1, requestId: "0".repeat(32), mark: null, elementId: place.signer.elementId, jid: "ABCD2345", hostId: "dead", bootId: "1",
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
