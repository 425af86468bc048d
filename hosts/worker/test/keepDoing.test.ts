import { it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type Job, keepDoing, pauseAfterFailures } from "../src/jobs/keepDoing.ts"

const times = { name: "a job", pauseMillis: 1_000, busyPauseMillis: 100 }

/** Runs the job for that long on the test's clock and answers how often its pass ran. */
const passesWithin = Effect.fnUntraced(function*(job: (pass: number) => Job<unknown, never>["pass"], millis: number) {
  let passes = 0
  const fiber = yield* Effect.forkChild(keepDoing({ ...times, pass: Effect.suspend(() => job(++passes)) }))
  yield* TestClock.adjust(millis)
  yield* Fiber.interrupt(fiber)
  return passes
})

describe("a worker's job", () => {
  it.effect("runs once a pause when there is nothing more, and faster while more is waiting", () =>
    Effect.gen(function*() {
      expect(yield* passesWithin(() => Effect.succeed(false), 3_500)).toBe(4)
      expect(yield* passesWithin(() => Effect.succeed(true), 3_500)).toBe(36)
    }))

  it.effect("rests for as long as its pass says", () =>
    Effect.gen(function*() {
      expect(yield* passesWithin((pass) => Effect.succeed(pass * 1_000), 6_500)).toBe(4)
    }))

  it.effect("is woken before its rest is over, but never before the shorter one is", () =>
    Effect.gen(function*() {
      const bell = yield* Latch.make()
      const at: Array<number> = []
      const pass = Effect.gen(function*() {
        yield* bell.close
        at.push(yield* Clock.currentTimeMillis)
        return false
      })
      const fiber = yield* Effect.forkChild(keepDoing({ ...times, pass, woken: bell.await }))
      yield* TestClock.adjust(500)
      yield* bell.open
      yield* TestClock.adjust(0)
      // Rung while the job rests the shorter time: the pass comes when that is over, and none is lost.
      yield* TestClock.adjust(50)
      yield* bell.open
      yield* TestClock.adjust(2_000)
      yield* Fiber.interrupt(fiber)
      expect(at.map((one) => one - (at[0] ?? 0))).toEqual([0, 500, 600, 1_600])
    }))

  it.effect("is ended neither by a failure nor by a defect, and slows down while they last", () =>
    Effect.gen(function*() {
      expect(yield* passesWithin(() => Effect.fail("the store is down"), 15_500)).toBe(4)
      expect(yield* passesWithin(() => Effect.die(new Error("a bug")), 15_500)).toBe(4)
    }))

  it.effect("goes on at its own pace after the first pass that succeeds", () =>
    Effect.gen(function*() {
      const job = (pass: number) => pass <= 2 ? Effect.fail("down") : Effect.succeed(false)
      // Failures at 0 s and 2 s, then success at 6 s and every second.
      expect(yield* passesWithin(job, 9_500)).toBe(6)
    }))

  it.effect("finishes the pass under way before it stops", () =>
    Effect.gen(function*() {
      let finished = false
      const pass = Effect.sleep("5 seconds").pipe(Effect.andThen(Effect.sync(() => {
        finished = true
        return false
      })))
      const fiber = yield* Effect.forkChild(keepDoing({ ...times, pass }))
      yield* TestClock.adjust(1_000)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust(1_000)
      expect(finished).toBe(false)
      yield* TestClock.adjust(3_000)
      yield* Fiber.join(stopping)
      expect(finished).toBe(true)
    }))

  it("never waits longer than half a minute", () => {
    expect([0, 1, 2, 3, 20].map((failures) => pauseAfterFailures(1_000, failures))).toEqual([1_000, 2_000, 4_000, 8_000, 30_000])
  })
})
