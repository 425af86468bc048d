import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RateLimiter } from "../src/http/RateLimiter.ts"

describe("the rate of a credential", () => {
  it("allows a burst, then as many as are earned", () => {
    const limiter = new RateLimiter({ perSecond: 2, burst: 3 })
    expect([1, 2, 3, 4].map(() => limiter.take("a", 0).allowed)).toEqual([true, true, true, false])
    expect(limiter.take("a", 500).allowed).toBe(true)
    expect(limiter.take("a", 500)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
  })

  it("is each credential's own", () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 })
    limiter.take("a", 0)
    expect(limiter.take("a", 0).allowed).toBe(false)
    expect(limiter.take("b", 0).allowed).toBe(true)
  })

  it("work already done delays the credential's next requests, and never for longer than five seconds", () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 5 })
    limiter.take("a", 0)
    limiter.charge("a", 10)
    expect(limiter.take("a", 600).allowed).toBe(false)
    expect(limiter.take("a", 700).allowed).toBe(true)
    limiter.charge("a", 1_000)
    expect(limiter.take("a", 5_000)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
    expect(limiter.take("a", 5_800).allowed).toBe(true)
    limiter.charge("nobody", 1_000)
    expect(limiter.take("nobody", 5_800).allowed).toBe(true)
  })

  it("a debt is kept however many other credentials there are", () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 5 })
    limiter.take("a", 0)
    limiter.charge("a", 50)
    for (let other = 0; other < 10_001; other += 1) limiter.take(String(other), 1_000)
    expect(limiter.take("a", 1_000)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 4 })
  })

  it("never lets more through than burst and rate allow, whatever the clock does", () => {
    const moments = fc.array(fc.integer({ min: -50, max: 400 }), { minLength: 1, maxLength: 200 })
    fc.assert(fc.property(moments, (steps) => {
      const limiter = new RateLimiter({ perSecond: 10, burst: 5 })
      let now = 10_000
      let allowed = 0
      for (const step of steps) {
        now += step
        if (limiter.take("a", now).allowed) allowed++
      }
      // A clock that goes back and forth may earn the same moment twice, never more often than it went forward.
      const forward = steps.reduce((sum, step) => sum + Math.max(0, step), 0)
      expect(allowed).toBeLessThanOrEqual(5 + forward / 100 + 1)
    }))
  })
})
