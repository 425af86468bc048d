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
      yield* TestClock.adjust("1999 millis")
      assert.strictEqual(yield* read("a"), "a 1")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* read("a"), "a 3")
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
