import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SignInThrottle } from "../src/SignInThrottle.ts"

const pauses = (throttle: SignInThrottle, count: number, now = 0): ReadonlyArray<number> =>
  Array.from({ length: count }, () => throttle.guess("a", now).pauseMillis)

describe("the throttle on guessing", () => {
  it("tells five wrong guesses so, then doubles the pause to a minute", () => {
    expect(pauses(new SignInThrottle(), 13)).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it("counts guesses at once exactly: five are heard, whatever comes between opening and answering them", () => {
    fc.assert(fc.property(fc.integer({ min: 5, max: 200 }), (together) => {
      expect(pauses(new SignInThrottle(), together).filter((pause) => pause === 0)).toHaveLength(5)
    }))
  })

  it("forgives everything at the rightful secret", () => {
    const throttle = new SignInThrottle()
    pauses(throttle, 9)
    throttle.guess("a", 0).right()
    expect(pauses(throttle, 6)).toEqual([0, 0, 0, 0, 0, 1_000])
  })

  it("does not count what the store could not answer", () => {
    const throttle = new SignInThrottle()
    for (let count = 0; count < 20; count++) throttle.guess("a", 0).void()
    expect(throttle.guess("a", 0).pauseMillis).toBe(0)
  })

  it("forgets after a quiet quarter of an hour, and not before", () => {
    const throttle = new SignInThrottle()
    pauses(throttle, 6)
    expect(throttle.guess("a", 15 * 60_000).pauseMillis).toBeGreaterThan(0)
    expect(throttle.guess("a", 31 * 60_000).pauseMillis).toBe(0)
  })

  it("does not hold up another client or address", () => {
    const throttle = new SignInThrottle()
    pauses(throttle, 20)
    expect(throttle.guess("b", 0).pauseMillis).toBe(0)
  })
})
