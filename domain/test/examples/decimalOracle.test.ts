import { BigDecimal } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { formatDecimal } from "../../src/money/decimals.ts"
import { roundHalfAwayFromZero } from "../../src/money/rounding.ts"

// The library is the oracle: our own functions are written for speed.
const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -6, max: 12 }))
  .map(([value, scale]) => BigDecimal.make(value, scale))

it("rounds as the library does", () => {
  fc.assert(fc.property(decimals, fc.integer({ min: 0, max: 6 }), (value, scale) => {
    const expected = BigDecimal.round(value, { scale, mode: "half-from-zero" })
    expect(BigDecimal.equals(roundHalfAwayFromZero(value, scale), expected)).toBe(true)
  }), { numRuns: 2_000 })
})

it("writes every decimal plainly, and what it writes is the same decimal", () => {
  fc.assert(fc.property(decimals, fc.integer({ min: 0, max: 6 }), (value, least) => {
    const text = formatDecimal(value, least)
    expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
    expect(BigDecimal.equals(BigDecimal.fromStringUnsafe(text), value)).toBe(true)
    const fraction = text.split(".")[1] ?? ""
    expect(fraction.length >= least && (fraction.length === least || !fraction.endsWith("0"))).toBe(true)
  }), { numRuns: 2_000 })
})
