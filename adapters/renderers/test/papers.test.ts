import { describe, expect, it } from "vitest"
import { a4At, roll58, roll80 } from "../src/pdf/papers.ts"

// The rulebook, article 12: what a shop adds is set in another type, and smaller than everything else on the receipt.
describe("What is not the fiscal part is set smaller than the fiscal part", () => {
  it.each([["A4", a4At(1)], ["A4, smaller type", a4At(0.7)], ["80 mm", roll80], ["58 mm", roll58]] as const)("on %s", (_name, { column, own }) => {
    for (const type of [own.type, own.small, own.heading]) expect(type.size).toBeLessThan(column.type.size)
  })
})
