import { type FiscalDocumentId, InFlight, type Operation, StoreUnavailable, type SubmissionOutcome } from "@overa/domain"
import { MemoryOperations } from "@overa/adapter-memory"
import { Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { boundKey, failover, failureOf, issue, notSent, run, scriptedVpfr, silence } from "../src/support/useCaseStage.ts"

const key = boundKey("key-0000000000000001", { a: "1" })
const lost = (committed: "no" | "unknown") => new StoreUnavailable({ committed, cause: "the test's" })
const signed = (): SubmissionOutcome => ({ _tag: "Signed", answer: sampleAnswer(), remarks: [] })

/** Fails the given number of next calls. */
const failing = () => {
  let left = 0
  return {
    next: (times: number) => {
      left = times
    },
    before: <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
        if (left === 0) return effect
        left -= 1
        return lost("unknown")
      }),
    /** The change is made, but its answer is lost. */
    after: <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
        if (left === 0) return effect
        left -= 1
        return Effect.andThen(effect, lost("unknown"))
      })
  }
}

const everything = Effect.map(MemoryOperations, ({ byId }) => [...byId.values()])

describe("a failover that loses the first commit of an attempt under way", () => {
  it.each([0, 1, 5])("and %i failures to write it again: the receipt is stored, under the same id", async (failures) => {
    const { layer, script } = scriptedVpfr()
    const writing = failing()
    await run(layer, Effect.gen(function*() {
      const memory = yield* MemoryOperations
      script.outcome = () =>
        Effect.sync(() => {
          memory.byId.clear()
          memory.byKey.clear()
          writing.next(failures)
          return signed()
        })
      const fiber = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("10 seconds")
      const { operation } = yield* Fiber.join(fiber)
      assert.strictEqual(operation.status, "FISCALIZED")
      const replayed = yield* issue(key)
      assert.deepInclude(replayed.operation, { id: operation.id, status: "FISCALIZED" })
      assert.strictEqual(script.submissions, 1)
    }), (store) => ({ reserve: (reservation) => writing.before(store.reserve(reservation)) }))
  })

  it("goes on writing after its caller was answered: what it holds may be the only trace of a receipt", async () => {
    const { layer, script } = scriptedVpfr()
    const writing = failing()
    await run(layer, Effect.gen(function*() {
      const memory = yield* MemoryOperations
      script.outcome = () =>
        Effect.sync(() => {
          memory.byId.clear()
          memory.byKey.clear()
          writing.next(80)
          return signed()
        })
      const fiber = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("60 seconds")
      const { operation } = yield* Fiber.join(fiber)
      assert.strictEqual(operation.status, "OUTCOME_UNKNOWN")
      yield* TestClock.adjust("1 hour")
      const replayed = yield* issue(key)
      assert.deepInclude(replayed.operation, { id: operation.id, status: "FISCALIZED" })
      assert.strictEqual(script.submissions, 1)
    }), (store) => ({ reserve: (reservation) => writing.before(store.reserve(reservation)) }))
  })

  /** The first request's answer, and the document that is stored in the end: the retry's, or that of another request under the same key. */
  const takenMeanwhile = async (first: () => SubmissionOutcome, second: () => SubmissionOutcome, other = key) => {
    const { layer, script } = scriptedVpfr()
    return run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.delay(Effect.sync(first), "10 seconds")
      const sent = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("1 second")
      yield* failover
      script.outcome = () => Effect.sync(second)
      const retry = yield* issue(other)
      yield* TestClock.adjust("20 seconds")
      const answered = yield* Effect.result(Fiber.join(sent))
      const told = Result.isFailure(answered) ? answered.failure._tag : answered.success.operation.id === retry.operation.id ? "RETRY" : answered.success.operation.status
      const [stored, ...others] = yield* everything
      assert.lengthOf(others, 0)
      assert.strictEqual(stored?.operation.id, retry.operation.id)
      return { told, status: stored?.operation.status, attention: stored?.attention.map((item) => item.kind), submissions: script.submissions }
    }))
  }

  it("and a retry that has a receipt by then: a second receipt is raised, with the answer as evidence", async () => {
    const found = await takenMeanwhile(signed, signed)
    assert.deepStrictEqual(found, { told: "RETRY", status: "FISCALIZED", attention: ["SECOND_RECEIPT"], submissions: 2 })
  })

  it.each([["was not sent", () => notSent], ["is unknown", () => silence]] as const)("and a retry that %s: the receipt is its receipt", async (_, second) => {
    const found = await takenMeanwhile(signed, second)
    assert.deepStrictEqual(found, { told: "RETRY", status: "FISCALIZED", attention: [], submissions: 2 })
  })

  it.each([
    ["has a receipt", signed, signed, "OUTCOME_UNKNOWN", ["SECOND_RECEIPT"]],
    ["has a receipt and the other has none", signed, () => notSent, "OUTCOME_UNKNOWN", ["SECOND_RECEIPT"]],
    ["has no answer", () => silence, signed, "OUTCOME_UNKNOWN", ["LOST_ATTEMPT"]],
    ["was not sent", () => notSent, signed, "IdempotencyKeyReusedWithDifferentRequest", []]
  ] as const)("and another request that took the key, and the first one %s: neither is told of the other's receipt", async (_, first, second, told, attention) => {
    const found = await takenMeanwhile(first, second, boundKey(key.key, { a: "2" }))
    assert.deepStrictEqual(found, { told, status: second === signed ? "FISCALIZED" : "NOT_FISCALIZED", attention: [...attention], submissions: 2 })
  })

  it.each([
    ["a receipt", signed, /signed as \S+; the sale that it gives back .* its key is key-0000000000000001/],
    ["no answer", () => silence, /of the key key-0000000000000001 that may have reached the V-PFR/]
  ] as const)("and another document that has its place by then, %s: it is raised there, and is no answer to either caller", async (_, outcome, detail) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      let winner: Operation | null = null
      script.outcome = () => Effect.delay(Effect.sync(outcome), "10 seconds")
      const sent = yield* Effect.forkChild(issue(key, { placeTakenBy: () => winner }))
      yield* TestClock.adjust("1 second")
      yield* failover
      script.outcome = () => Effect.sync(signed)
      winner = (yield* issue(boundKey("key-0000000000000002", { a: "1" }))).operation
      yield* TestClock.adjust("20 seconds")
      const answered = yield* Fiber.join(sent)
      assert.strictEqual(answered.operation.status, "OUTCOME_UNKNOWN")
      assert.notStrictEqual(answered.operation.id, winner.id)
      const [stored, ...others] = yield* everything
      assert.lengthOf(others, 0)
      assert.deepInclude(stored?.operation, { id: winner.id, answer: winner.answer })
      assert.deepStrictEqual(stored?.attention.map((item) => item.kind), ["LOST_ATTEMPT"])
      assert.match(stored?.attention[0]?.detail ?? "", detail)
    }))
  })

  it("before an answer that never comes: the RequestId that may have a receipt is raised", async () => {
    const found = await takenMeanwhile(() => silence, () => notSent)
    assert.deepStrictEqual(found, { told: "RETRY", status: "NOT_FISCALIZED", attention: ["LOST_ATTEMPT"], submissions: 2 })
  })
})

describe("a failover that loses an attempt of a stored operation, whose number another host has taken since", () => {
  const outcomes = [
    ["that nothing was sent", () => notSent, "SUBMITTING", []],
    ["no answer", () => silence, "SUBMITTING", ["LOST_ATTEMPT"]],
    ["a receipt", signed, "FISCALIZED", []]
  ] as const
  it.each(
    // If an element could not be opened, the operation has no attempt: the first one is added later, as for a copy that was reserved unsent.
    [1, 2].flatMap((number) => outcomes.map(([what, outcome, status, attention]) => ({ number, what, outcome, status, attention })))
  )("attempt $number, $what, says nothing of the other's attempt", async ({ attention, number, outcome, status }) => {
    const { layer, script } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      script.opens = number > 1
      script.outcome = () => Effect.succeed(notSent)
      const { operation } = yield* issue(key)
      script.opens = true
      const memory = yield* MemoryOperations
      script.outcome = () =>
        Effect.sync(() => {
          const stored = memory.byId.get(operation.id)
          if (stored !== undefined) stored.attempts = stored.attempts.map((it) => it.number === number ? { ...it, requestId: "f".repeat(32) } : it)
          return outcome()
        })
      const sending = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("10 seconds")
      const stored = memory.byId.get(operation.id)
      assert.strictEqual(stored?.operation.status, status)
      assert.deepStrictEqual(stored?.attention.map(({ kind }) => kind), [...attention])
      assert.isNull(stored?.attempts[number - 1]?.outcome)
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(sending)
    }))
  })
})

describe("a first commit that is not confirmed", () => {
  it("and cannot be read again is stored as not sent by the host that knows it, not left for an operator", async () => {
    const { layer, script } = scriptedVpfr()
    const committing = failing()
    const reading = failing()
    await run(layer, Effect.gen(function*() {
      committing.next(1)
      reading.next(3)
      const told = yield* Effect.exit(issue(key))
      assert.strictEqual(failureOf(told), "StoreUnavailable")
      yield* TestClock.adjust("5 seconds")
      const [stored] = yield* everything
      assert.deepInclude(stored?.operation, { status: "NOT_FISCALIZED", failureCode: "PFR_SUBMISSION_CANCELLED_BEFORE_SEND" })
      const again = yield* issue(key)
      assert.strictEqual(again.operation.id, stored?.operation.id)
      assert.deepInclude(again.operation, { status: "FISCALIZED", attempt: 2 })
      assert.strictEqual(script.submissions, 1)
    }), (store) => ({
      reserve: (reservation) => committing.after(store.reserve(reservation)),
      findByKey: (bound) => reading.before(store.findByKey(bound))
    }))
  })

  it("and comes to be stored only later is stored as not sent too", async () => {
    const { layer, script } = scriptedVpfr()
    const late: Array<Effect.Effect<unknown, StoreUnavailable>> = []
    await run(layer, Effect.gen(function*() {
      const told = yield* Effect.exit(issue(key))
      assert.strictEqual(failureOf(told), "StoreUnavailable")
      yield* TestClock.adjust("3 seconds")
      for (const commit of late) yield* Effect.ignore(commit)
      yield* TestClock.adjust("3 seconds")
      const [stored] = yield* everything
      assert.deepInclude(stored?.operation, { status: "NOT_FISCALIZED" })
      assert.strictEqual(script.submissions, 0)
    }), (store) => ({
      reserve: (reservation) =>
        Effect.andThen(Effect.sync(() => void late.push(store.reserve(reservation))), lost("unknown"))
    }))
  })

  it("of a second attempt is read again by its RequestId, and then sent", async () => {
    const { layer, script } = scriptedVpfr()
    const committing = failing()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(notSent)
      const first = yield* issue(key)
      script.outcome = () => Effect.sync(signed)
      committing.next(1)
      const second = yield* issue(key)
      assert.deepInclude(second.operation, { id: first.operation.id, status: "FISCALIZED", attempt: 2 })
      assert.strictEqual(script.submissions, 2)
    }), (store) => ({ redrive: (redrive) => committing.after(store.redrive(redrive)) }))
  })

  it("of a second attempt that another host has won is not sent", async () => {
    const { layer, script } = scriptedVpfr()
    const committing = failing()
    await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(notSent)
      const first = yield* issue(key)
      script.outcome = () => Effect.sync(signed)
      committing.next(1)
      const waiting = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("2 minutes")
      const answered = yield* Fiber.join(waiting)
      assert.strictEqual(script.submissions, 1)
      assert.deepInclude(answered, { replayed: true })
      assert.deepInclude(answered.operation, { id: first.operation.id, status: "OUTCOME_UNKNOWN", attempt: 2 })
    }), (store) => ({
      redrive: (redrive) =>
        committing.after(store.redrive({ ...redrive, attempt: { ...redrive.attempt, requestId: "f".repeat(32) } }))
    }))
  })
})

describe("what a process has in flight", () => {
  it("is forgotten when its submission dies, and the waiting go on without it", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const inFlight = yield* InFlight
      const id = "01900000-0000-7000-8000-000000000001" as FiscalDocumentId
      const submission = yield* Effect.forkChild(inFlight.during(id, Effect.delay(Effect.die("a defect"), "1 second"), () => null))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(inFlight.count(), 1)
      const waiting = yield* Effect.forkChild(inFlight.outcome(id) ?? Effect.die("nothing is in flight"))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(submission)))
      assert.isNull(yield* Fiber.join(waiting))
      assert.strictEqual(inFlight.count(), 0)
    }))
  })

  it("is forgotten when the second commit dies until its lease ends, and its outcome is told as unknown", async () => {
    const { layer } = scriptedVpfr()
    await run(layer, Effect.gen(function*() {
      const inFlight = yield* InFlight
      const issuing = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(issuing)).operation.status, "OUTCOME_UNKNOWN")
      assert.strictEqual(inFlight.count(), 0)
    }), () => ({ conclude: () => Effect.die("a defect of the store") }))
  })
})

describe("a second commit that a defect ends", () => {
  it.each([["three times", 3, "FISCALIZED"], ["for an hour", 120, "OUTCOME_UNKNOWN"]] as const)("%s: the receipt is not forgotten, and is stored under the same id", async (_, times, told) => {
    const { layer, script } = scriptedVpfr()
    let left = times
    await run(layer, Effect.gen(function*() {
      const issuing = yield* Effect.forkChild(issue(key))
      yield* TestClock.adjust("2 minutes")
      const { operation } = yield* Fiber.join(issuing)
      assert.strictEqual(operation.status, told)
      yield* TestClock.adjust("3 hours")
      assert.isBelow(left, 1)
      assert.deepInclude((yield* issue(key)).operation, { id: operation.id, status: "FISCALIZED" })
      assert.strictEqual(script.submissions, 1)
    }), (store) => ({ conclude: (conclusion) => Effect.suspend(() => left-- > 0 ? Effect.die("a check of the database") : store.conclude(conclusion)) }))
  })
})
