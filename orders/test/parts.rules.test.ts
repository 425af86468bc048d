import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { partsOf, takeFrom } from "../src/parts.ts"
import { spread } from "../src/spread.ts"

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((one, other) => one + other, 0n)
const quantity = fc.bigInt({ min: 1n, max: 99_999_999n })
const amount = fc.bigInt({ min: 0n, max: 99_999_999_999n })

describe("ORDERS-3: a discount is spread without a remainder", () => {
  it("the shares sum to it, none is more than what it is taken from, and alike get alike to the para", () => {
    fc.assert(fc.property(fc.array(amount, { minLength: 1, maxLength: 12 }), fc.nat(1_000), (weights, share) => {
      const discount = (sum(weights) * BigInt(share)) / 1000n
      const shares = spread(discount, weights)
      expect(sum(shares)).toBe(discount)
      shares.forEach((one, at) => {
        expect(one >= 0n && one <= (weights[at] ?? 0n)).toBe(true)
        const twin = weights.indexOf(weights[at] ?? 0n)
        const apart = (shares[twin] ?? 0n) - one
        expect(apart === 0n || apart === 1n).toBe(true)
      })
    }))
  })
})

describe("ORDERS-4: a position becomes lines of two decimals that come to exactly its money", () => {
  it("each line is quantity times price, rounded as the V-PFR rounds; at most three lines", () => {
    fc.assert(fc.property(amount, quantity, fc.option(amount), (money, pieces, preferred) => {
      const parts = partsOf(money, pieces, preferred)
      expect(parts.length).toBeLessThanOrEqual(3)
      expect(sum(parts.map((part) => part.amount))).toBe(money)
      expect(sum(parts.map((part) => part.quantity))).toBe(pieces)
      for (const part of parts) {
        expect(part.quantity > 0n && part.unitPrice >= 0n).toBe(true)
        expect(part.amount).toBe((2n * part.quantity * part.unitPrice + 1000n) / 2000n)
      }
    }), { numRuns: 2_000 })
  })

  it("keeps the price where it fits", () => {
    expect(partsOf(29_997n, 3_000n, 9_999n)).toEqual([{ quantity: 3_000n, unitPrice: 9_999n, amount: 29_997n }])
    expect(partsOf(29_000n, 3_000n, 10_000n).map((part) => [part.quantity, part.unitPrice])).toEqual([[1_000n, 9_666n], [2_000n, 9_667n]])
  })
})

describe("ORDERS-5: what is taken and what is left are all of it", () => {
  it("in whatever steps it is taken", () => {
    fc.assert(fc.property(amount, quantity, fc.array(fc.nat(1_000), { maxLength: 6 }), (money, pieces, shares) => {
      let left = partsOf(money, pieces, null)
      let taken = 0n
      for (const share of shares) {
        const wanted = (pieces * BigInt(share)) / 1000n
        const taking = takeFrom(left, wanted)
        if (taking === null) continue
        left = taking.left
        taken += sum(taking.taken.map((part) => part.amount))
      }
      expect(taken + sum(left.map((part) => part.amount))).toBe(money)
    }))
  })
})
