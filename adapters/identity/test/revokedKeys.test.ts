import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "@effect/vitest"
import { authenticate, installation, issue, newKey } from "./ownInstallation.ts"

describe("own tokens of a revoked key", () => {
  it.effect("end within five seconds, also where they are used all the time", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* authenticate(token)
      yield* TestClock.adjust("900 millis")
      state.keys = [newKey()]
      const use = Effect.andThen(TestClock.adjust("100 millis"), Effect.exit(authenticate(token)))
      const ends = (yield* Effect.replicateEffect(use, 50)).map(Exit.isFailure)
      expect([ends[0], ends.at(-1), ends.lastIndexOf(false) < ends.indexOf(true)]).toEqual([false, true, true])
    }).pipe(Effect.provide(layer))
  })

  it.effect("end within five seconds, remembered or not", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* authenticate(token)
      state.keys = [newKey()]
      yield* TestClock.adjust("5 seconds")
      expect(Exit.isFailure(yield* Effect.exit(authenticate(token)))).toBe(true)
    }).pipe(Effect.provide(layer))
  })

  // The reading that was under way at the revocation answers the keys of before it.
  it.effect("end within five seconds, also where a reading of the keys takes three", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* authenticate(token)
      yield* TestClock.adjust("1500 millis")
      state.readMillis = 2_900
      yield* authenticate(token)
      yield* TestClock.adjust("100 millis")
      state.readMillis = 0
      state.keys = [newKey()]
      yield* TestClock.adjust("4600 millis")
      yield* Effect.exit(authenticate(token))
      yield* TestClock.adjust("1900 millis")
      expect(Exit.isFailure(yield* Effect.exit(authenticate(token)))).toBe(true)
    }).pipe(Effect.provide(layer))
  })
})

describe("a reading of the keys that takes three seconds", () => {
  it.effect("is shared by those who wait for it", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* authenticate(token)
      yield* TestClock.adjust("2 seconds")
      state.readMillis = 2_900
      const reads = state.reads
      const waiting = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(authenticate(token)))
      yield* TestClock.adjust("2900 millis")
      for (const fiber of waiting) expect((yield* Fiber.join(fiber)).clientId).toBe("svc-sbx-1")
      expect(state.reads).toBe(reads + 1)
    }).pipe(Effect.provide(layer))
  })

  // One after another, the last of twenty would wait for two hundred seconds.
  it.effect("fails for all who wait for it, and who asks afterwards has a reading of its own", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* TestClock.adjust("2 seconds")
      Object.assign(state, { readMillis: 10_000, readFails: true })
      const reads = state.reads
      const waiting = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(Effect.exit(authenticate(token))))
      yield* TestClock.adjust("10 seconds")
      expect((yield* Effect.forEach(waiting, Fiber.join)).every(Exit.isFailure)).toBe(true)
      expect(state.reads).toBe(reads + 1)
      Object.assign(state, { readMillis: 0, readFails: false })
      expect((yield* authenticate(token)).clientId).toBe("svc-sbx-1")
    }).pipe(Effect.provide(layer))
  })
})
