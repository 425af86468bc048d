import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import { recentReads } from "../src/recentReads.ts"

/** A source that answers a new number each time. */
const counting = () => {
  let reads = 0
  return { load: (key: string) => Effect.sync(() => `${key} ${(reads += 1)}`), count: () => reads }
}

describe("what every receipt reads", () => {
  it.effect("is read once in two seconds, each key for itself", () =>
    Effect.gen(function*() {
      const source = counting()
      const read = yield* recentReads(source.load)
      assert.deepStrictEqual([yield* read("a"), yield* read("a"), yield* read("b")], ["a 1", "a 1", "b 2"])
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* read("a"), "a 1")
      yield* TestClock.adjust("1001 millis")
      assert.strictEqual(yield* read("a"), "a 3")
    }))

  it.effect("is read again beside the requests after a second: nobody waits for it, and once is enough", () =>
    Effect.gen(function*() {
      const source = counting()
      const gate = yield* Deferred.make<void>()
      let isSlow = false
      const read = yield* recentReads((key) => Effect.suspend(() => (isSlow ? Effect.andThen(Deferred.await(gate), source.load(key)) : source.load(key))))
      assert.strictEqual(yield* read("a"), "a 1")
      isSlow = true
      yield* TestClock.adjust("1000 millis")
      assert.deepStrictEqual([yield* read("a"), yield* read("a"), yield* read("a")], ["a 1", "a 1", "a 1"])
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("0 millis")
      assert.strictEqual(yield* read("a"), "a 2")
      assert.strictEqual(source.count(), 2)
      // The renewed value has two seconds of its own.
      yield* TestClock.adjust("1999 millis")
      assert.strictEqual(yield* read("a"), "a 2")
      yield* TestClock.adjust("1 millis")
      assert.notStrictEqual(yield* read("a"), "a 2")
    }))

  it.effect("is never older than two seconds, however late a reading ends, and no late reading replaces a newer one", () =>
    Effect.gen(function*() {
      const stored = { value: "valid" }
      let millis = 0
      const read = yield* recentReads(() => Effect.suspend(() => {
        const { value } = stored
        return Effect.as(Effect.sleep(millis), value)
      }))
      const after = Effect.fnUntraced(function*(wait: number) {
        yield* TestClock.adjust(wait)
        const asked = yield* Effect.forkChild(read("a"))
        yield* TestClock.adjust(0)
        return yield* Fiber.join(asked)
      })
      assert.strictEqual(yield* after(0), "valid")
      // Begun at one second, ended at 5.
      millis = 4_000
      assert.strictEqual(yield* after(1_000), "valid")
      stored.value = "revoked"
      millis = 0
      assert.strictEqual(yield* after(1_000), "revoked")
      for (const at of [1_000, 1_000, 500, 500, 1_000]) assert.strictEqual(yield* after(at), "revoked")
      // A second reading begun when the first was 1.9 seconds old ends after a third, begun later: the third one stays.
      yield* TestClock.adjust(5_000)
      assert.strictEqual(yield* after(0), "revoked")
      millis = 1_500
      assert.strictEqual(yield* after(1_900), "revoked")
      stored.value = "valid"
      millis = 0
      assert.strictEqual(yield* after(200), "valid")
      assert.strictEqual(yield* after(1_350), "valid")
    }))

  it.effect("is used until its two seconds are over where it cannot be read again", () =>
    Effect.gen(function*() {
      const source = counting()
      let isDown = false
      const read = yield* recentReads((key) => Effect.suspend(() => (isDown ? Effect.fail("down") : source.load(key))))
      yield* read("a")
      isDown = true
      yield* TestClock.adjust("1000 millis")
      assert.strictEqual(yield* read("a"), "a 1")
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* read("a"), "a 1")
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Effect.exit(read("a")), Exit.fail("down"))
    }))

  it.effect("is asked for once by however many ask together", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const source = counting()
      const read = yield* recentReads((key) => Effect.andThen(Deferred.await(gate), source.load(key)))
      const asking = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(read("a")))
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Effect.forEach(asking, Fiber.join)
      assert.deepStrictEqual([...new Set(answers)], ["a 1"])
      assert.strictEqual(source.count(), 1)
    }))

  it.effect("is asked for again at once after a failure", () =>
    Effect.gen(function*() {
      let tries = 0
      const read = yield* recentReads(() => Effect.suspend(() => ((tries += 1) === 1 ? Effect.fail("down") : Effect.succeed("up"))))
      assert.deepStrictEqual(yield* Effect.exit(read("a")), Exit.fail("down"))
      assert.strictEqual(yield* read("a"), "up")
    }))
})
