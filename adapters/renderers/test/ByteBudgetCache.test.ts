import { describe, expect, it } from "vitest"
import { ByteBudgetCache } from "../src/ByteBudgetCache.ts"

describe("The cache of drawn receipts", () => {
  it("never holds more than its budget, and forgets what was used longest ago", () => {
    const cache = new ByteBudgetCache(100)
    for (const key of ["a", "b", "c", "d"]) cache.set(key, new Uint8Array(25))
    cache.get("a")
    cache.set("e", new Uint8Array(20))
    expect(cache.usedBytes).toBe(95)
    expect([..."abcde"].filter((key) => cache.get(key) !== undefined)).toEqual(["a", "c", "d", "e"])
  })

  it("does not keep a giant, and counts what is set again once", () => {
    const cache = new ByteBudgetCache(100)
    cache.set("giant", new Uint8Array(26))
    cache.set("a", new Uint8Array(10))
    cache.set("a", new Uint8Array(10))
    expect(cache.get("giant")).toBeUndefined()
    expect(cache.usedBytes).toBe(10)
  })
})
