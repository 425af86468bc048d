import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sealingPauseMillis, sealingRest } from "../../src/journal-log/sealingRest.ts"

const work = fc.record({ busyMillis: fc.integer({ min: 0, max: 600_000 }), waitedMillis: fc.integer({ min: 0, max: 3_600_000 }), more: fc.boolean() })

describe("how long sealing rests", () => {
  it("two seconds where nothing waits, and nine times the pass where much waits for a short time", () => {
    expect(sealingRest({ busyMillis: 5, waitedMillis: 0, more: false })).toBe(sealingPauseMillis)
    expect(sealingRest({ busyMillis: 200, waitedMillis: 3_000, more: true })).toBe(1_800)
    expect(sealingRest({ busyMillis: 400, waitedMillis: 10_000, more: true })).toBe(1_600)
    expect(sealingRest({ busyMillis: 400, waitedMillis: 60_000, more: true })).toBe(400)
    expect(sealingRest({ busyMillis: 900, waitedMillis: 600_000, more: true })).toBe(100)
  })

  it.each([[4_999, 4_500], [5_000, 2_000], [29_999, 2_000], [30_000, 500], [119_999, 500], [120_000, 56]])(
    "after a pass of half a second, with %i milliseconds of waiting, for %i", (waitedMillis, rest) => {
      expect(sealingRest({ busyMillis: 500, waitedMillis, more: true })).toBe(rest)
    }
  )

  it("never longer than five seconds, and never less than a ninth of the pass, up to that", () => {
    fc.assert(fc.property(work, (each) => {
      const rest = sealingRest(each)
      expect(rest).toBeLessThanOrEqual(5_000)
      expect(rest).toBeGreaterThanOrEqual(Math.min(5_000, Math.floor(each.busyMillis / 9)))
      if (!each.more) expect(rest).toBeGreaterThanOrEqual(sealingPauseMillis)
    }))
  })

  it("never longer because transitions waited longer", () => {
    fc.assert(fc.property(work, fc.integer({ min: 0, max: 3_600_000 }), (each, more) => {
      expect(sealingRest({ ...each, waitedMillis: each.waitedMillis + more })).toBeLessThanOrEqual(sealingRest(each))
    }))
  })

  it("keeps up with any rate of documents that sealing alone could do in nine tenths of the time", () => {
    fc.assert(fc.property(fc.integer({ min: 50, max: 2_000 }), fc.double({ min: 0.01, max: 0.85, noNaN: true }), (microsEach, load) => {
      // The number of documents per second that needs this share of the time, with passes of at most 2 000.
      const perSecond = (load * 1_000_000) / microsEach
      let [waiting, longest] = [0, 0]
      for (let [now, oldest] = [0, 0]; now < 900_000;) {
        const taken = Math.min(waiting, 2_000)
        const waitedMillis = waiting === 0 ? 0 : now - oldest
        longest = now > 300_000 ? Math.max(longest, waitedMillis) : longest
        const busyMillis = (taken * microsEach) / 1_000 + 1
        const passed = busyMillis + sealingRest({ busyMillis, waitedMillis, more: taken === 2_000 })
        waiting += (passed / 1_000) * perSecond - taken
        now += passed
        oldest = now - (waiting / perSecond) * 1_000
      }
      expect(longest).toBeLessThan(300_000)
    }), { numRuns: 50 })
  })
})
