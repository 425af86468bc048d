import { MemoryOperations } from "@overa/adapter-memory"
import { decideUnknown, type FiscalDocumentId, OperationStore, reconcileDue, sweepOrphans } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintPlace, sampleAnswer, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { boundKey, content, issue, place, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

const due = { limit: 10, concurrency: 1 }
const decideNotIssued = (id: FiscalDocumentId) => decideUnknown({ tenant, id, decision: { _tag: "CONFIRMED_NOT_ISSUED" }, operator: { name: "ana", reason: "ticket 88" } })

/** The worker, once an hour. */
const hoursOfWork = Effect.fnUntraced(function*(hours: number) {
  for (let hour = 0; hour < hours; hour++) {
    yield* TestClock.adjust("1 hour")
    yield* sweepOrphans(10)
    yield* reconcileDue(due)
  }
})

const storedOf = (id: FiscalDocumentId) => Effect.map(MemoryOperations, ({ byId }) => byId.get(id))

/** A copy that the service sends by itself; its process ended while it was being sent. */
const orphanedCopy = Effect.gen(function*() {
  const store = yield* OperationStore
  const now = yield* DateTime.now
  const operation = sampleOperation({ ...mintPlace(), ...place, ...tenant }, {
    content: { ...content, invoiceType: "COPY", transactionType: "REFUND" },
    boundKey: { ...boundKey("key-0000000000000001:copy", { a: "1" }), role: "INNER" },
    createdAt: now,
    updatedAt: now
  })
  yield* store.reserve(sampleReservation(operation, { attempt: { startedAt: now, elementId: place.signer.elementId } }))
  return operation.id
})

describe("after the seven days of a search", () => {
  it.each([6, 8])("a copy of which a person decides after %i days that it was not issued is sent by the worker", async (days) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const id = yield* orphanedCopy
      yield* hoursOfWork(24 * days)
      assert.strictEqual((yield* storedOf(id))?.operation.status, "OUTCOME_UNKNOWN")
      const decided = yield* decideNotIssued(id)
      assert.strictEqual(decided.status, "NOT_FISCALIZED")
      assert.strictEqual(script.submissions, 0)
      yield* TestClock.adjust("1 minute")
      yield* reconcileDue(due)
      assert.strictEqual(script.submissions, 1)
      assert.strictEqual((yield* storedOf(id))?.operation.status, "FISCALIZED")
    }))
  })

  it("a copy that could not be sent for weeks is sent as soon as it can be", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const id = yield* orphanedCopy
      yield* hoursOfWork(24 * 8)
      yield* decideNotIssued(id)
      script.opens = false
      yield* hoursOfWork(24 * 10)
      script.opens = true
      yield* hoursOfWork(1)
      assert.strictEqual((yield* storedOf(id))?.operation.status, "FISCALIZED")
      assert.strictEqual(script.submissions, 1)
    }))
  })

  it("a copy whose check dies is checked again", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const id = yield* orphanedCopy
      yield* hoursOfWork(24 * 8)
      yield* decideNotIssued(id)
      script.searchOf = () => {
        throw new Error("a receipt nobody can read")
      }
      yield* hoursOfWork(2)
      assert.deepStrictEqual((yield* storedOf(id))?.attention.map(({ kind }) => kind), ["CHECK_FAILED"])
      script.searchOf = null
      yield* hoursOfWork(1)
      assert.strictEqual((yield* storedOf(id))?.operation.status, "FISCALIZED")
    }))
  })

  it("a new attempt is searched for as the first one was: from the beginning, for seven days of its own", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(silence)
      const key = boundKey("key-0000000000000001", { a: "1" })
      const { operation: { id } } = yield* issue(key)
      yield* hoursOfWork(24 * 8)
      assert.isNull((yield* storedOf(id))?.nextCheckAt)
      yield* decideNotIssued(id)
      assert.strictEqual((yield* issue(key)).operation.status, "OUTCOME_UNKNOWN")
      const second = (yield* storedOf(id))?.attempts[1]
      script.searchOf = () => ({ _tag: "NoAnswer", detail: "down" })
      const before = script.searches
      for (const pause of ["0 seconds", "5 seconds", "30 seconds", "60 seconds"] as const) {
        yield* TestClock.adjust(pause)
        assert.strictEqual(yield* reconcileDue(due), 1, pause)
      }
      assert.strictEqual(script.searches, before + 8, "both attempts, each time")
      yield* hoursOfWork(24 * 6)
      script.searchOf = (asked) => asked === second?.requestId ? { _tag: "Found", answer: sampleAnswer(), remarks: [] } : { _tag: "NothingFound" }
      yield* hoursOfWork(1)
      assert.strictEqual((yield* storedOf(id))?.operation.status, "FISCALIZED")
      yield* hoursOfWork(1)
      assert.isNull((yield* storedOf(id))?.nextCheckAt, "the first attempt's seven days are over")
    }))
  })
})
