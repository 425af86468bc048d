import { type BoundKey, canonicalRuleVersion, OperationStore } from "@overa/domain"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { sampleAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { boundKey, failureOf, issue, notSent, place, run, scriptedVpfr, tenant } from "../src/support/useCaseStage.ts"

describe("one document under one key", () => {
  it("is issued once and replayed from storage", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const key = boundKey("key-0000000000000001", { a: "1" })
      const first = yield* issue(key)
      const second = yield* issue(key)
      assert.deepInclude(first, { replayed: false })
      assert.deepInclude(second, { replayed: true })
      assert.strictEqual(second.operation.id, first.operation.id)
      assert.strictEqual(script.submissions, 1)
    }))
  })

  it("[proves:IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST] refuses other content under the key, and says whose it is", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const { operation } = yield* issue(boundKey("key-0000000000000001", { a: "1" }))
      const refused = yield* Effect.flip(issue(boundKey("key-0000000000000001", { a: "2" })))
      assert.deepInclude(refused, { code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", operationId: operation.id })
    }))
  })

  it("a retry across an upgrade does not conflict: what an older release fingerprinted is judged by today's rules", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const today = boundKey("key-0000000000000001", { amount: "1" })
      const older: BoundKey = { ...today, fingerprint: { version: canonicalRuleVersion - 1, digest: "by older rules" } }
      const store = yield* OperationStore
      const operation = sampleOperation({ ...place, ...tenant }, { boundKey: older })
      yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(signed(operation))
      const replayed = yield* issue(today)
      assert.strictEqual(replayed.operation.id, operation.id)
      assert.strictEqual(script.submissions, 0)
      const other = yield* Effect.exit(issue(boundKey("key-0000000000000001", { amount: "2" })))
      assert.strictEqual(failureOf(other), "IdempotencyKeyReusedWithDifferentRequest")
    }))
  })

  it("[proves:IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT] a key of the other environment is refused", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const key = boundKey("key-0000000000000001", { a: "1" })
      yield* issue(key)
      const exit = yield* Effect.exit(issue(key, { tenant: { ...tenant, environment: "production" } }))
      assert.strictEqual(failureOf(exit), "IdempotencyKeyReusedInOtherEnvironment")
    }))
  })

  it("a stored answer outlives the checks: a premise closed since does not refuse a replay", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const key = boundKey("key-0000000000000001", { a: "1" })
      yield* issue(key)
      const replayed = yield* issue(key, { refuses: true })
      assert.strictEqual(replayed.operation.status, "FISCALIZED")
      const fresh = yield* Effect.exit(issue(boundKey("key-0000000000000002", {}), { refuses: true }))
      assert.strictEqual(failureOf(fresh), "Refused")
    }))
  })

  it("duplicates wait for the first and never submit", async () => {
    const { layer, script } = scriptedVpfr()
    script.outcome = () => Effect.delay(Effect.succeed({ _tag: "Signed", answer: sampleAnswer(), remarks: [] }), "2 seconds")
    await run(layer, Effect.gen(function*() {
      const key = boundKey("key-0000000000000001", { a: "1" })
      const fibers = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(issue(key)))
      yield* TestClock.adjust("1 minute")
      const answers = yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
      assert.strictEqual(new Set(answers.map(({ operation }) => operation.id)).size, 1)
      assert.strictEqual(answers.filter(({ replayed }) => !replayed).length, 1)
      assert.strictEqual(script.submissions, 1)
    }))
  })
})

describe("what was not sent is driven again", () => {
  it("under the same id, as a second attempt", async () => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const key = boundKey("key-0000000000000001", { a: "1" })
      script.outcome = () => Effect.succeed(notSent)
      const first = yield* issue(key)
      assert.deepInclude(first.operation, { status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE" })
      script.outcome = () => Effect.succeed({ _tag: "Signed", answer: sampleAnswer(), remarks: [] })
      const second = yield* issue(key)
      assert.deepInclude(second, { replayed: false })
      assert.deepInclude(second.operation, { id: first.operation.id, status: "FISCALIZED", attempt: 2 })
    }))
  })

  it("an element that does not open leaves one commit and no attempt", async () => {
    const { layer, script } = scriptedVpfr()
    script.opens = false
    await run(layer, Effect.gen(function*() {
      const { operation } = yield* issue(boundKey("key-0000000000000001", { a: "1" }))
      assert.deepInclude(operation, { status: "NOT_FISCALIZED", failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", attempt: 0 })
      assert.strictEqual(script.submissions, 0)
    }))
  })
})
