import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { amount } from "../src/language/formats.ts"
import { typedAmount } from "../src/language/typedAmount.ts"
import { readTyped } from "../src/pages/receipts/typedText.ts"

describe("what is typed into the search field", () => {
  it.each([
    ["2.399,99", { _tag: "Amount", amount: "2.399,99", isRefund: false }],
    ["2399.99", { _tag: "Amount", amount: "2399.99", isRefund: false }],
    ["-150,00", { _tag: "Amount", amount: "150,00", isRefund: true }],
    ["150,00 дин.", { _tag: "Amount", amount: "150,00", isRefund: false }],
    ["31.1.2026.", { _tag: "Day", day: "2026-01-31" }],
    ["1. 2. 2026", { _tag: "Day", day: "2026-02-01" }]
  ])("%s is an amount or a day", (text, meant) => {
    expect(readTyped(text)).toEqual(meant)
  })

  it.each(["", "12", "150", "31.2.2026.", "1.000", "12,5", "ABCD1234-ABCD1234-17", "шећер 1,00 кг", "1.2.3,00", "--1,00", "9999999999999,00"])("%j is a text", (text) => {
    expect(readTyped(text)).toEqual({ _tag: "Text" })
  })

  it("an amount as the pages show it is read as that amount", () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), (paras) => {
      const value = BigDecimal.make(paras, 2)
      const read = typedAmount(amount(value))
      expect(read !== null && BigDecimal.equals(read, value)).toBe(true)
      expect(readTyped(amount(value))._tag).toBe("Amount")
    }))
  })
})
