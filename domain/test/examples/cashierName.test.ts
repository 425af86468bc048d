import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { readCashierName } from "../../src/people/cashierName.ts"

describe("the name of a cashier", () => {
  it("is one line of 1 to 50 characters without an address", () => {
    for (const name of ["Ана", "Каса 2", "🙂".repeat(50)]) assert.strictEqual(readCashierName(` ${name} `), name)
    for (const text of ["", "  ", "a".repeat(51), "Ана\nПера", "Ана\u2028Пера", "ana@primer.rs", "ana＠primer.rs", "@"]) assert.isNull(readCashierName(text), JSON.stringify(text))
  })

  it("of any text, has no character that prints an address or another line", () => {
    const text = fc.array(fc.constantFrom("a", "@", "＠", "\n", "\r", "\u0085", "\u2028", " ", "ш", "🙂"), { maxLength: 60 }).map((parts) => parts.join(""))
    fc.assert(fc.property(text, (given) => {
      const name = readCashierName(given)
      return name === null || (name === name.trim() && [...name].length <= 50 && name !== "" && !/[@＠\n\r\u0085\u2028\u2029]/.test(name))
    }))
  })
})
