import { UnrepresentableNumber } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readJson } from "../src/json/readJson.ts"

/** The tree with decimals turned back into numbers, to compare with `JSON.parse`. */
const asNumbers = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return Number(BigDecimal.format(value))
  if (value instanceof UnrepresentableNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asNumbers(member)]))
}

const parsed = (text: string): unknown => {
  const read = readJson(text)
  if (Result.isFailure(read)) throw new Error(read.failure.message)
  return asNumbers(read.success)
}

const accepts = (text: string): boolean => Result.isSuccess(readJson(text))

const platformAccepts = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const cleanZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/-0(?![.\d])/g, "0"))

describe("reading JSON", () => {
  it("reads every document as JSON.parse does", () => {
    const document = fc.jsonValue({ maxDepth: 6, noUnicodeString: false }).map((value) => cleanZero(value))
    fc.assert(fc.property(document, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      if (text.includes("\\ud") || /e[+-]?\d{3}/i.test(text)) return
      expect(parsed(text)).toEqual(JSON.parse(text))
    }), { numRuns: 500 })
  })

  it("accepts no text that JSON.parse refuses", () => {
    const fragments = fc.constantFrom("{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "1", "-", "0", ".5", "1e2", "01", "true", "nul", " ", "\\", "\n", "\u00a0", "//", "NaN")
    fc.assert(fc.property(fc.array(fragments, { maxLength: 10 }).map((parts) => parts.join("")), (text) => {
      if (accepts(text)) expect(platformAccepts(text)).toBe(true)
    }), { numRuns: 3_000 })
  })

  it("survives any damage to a document: refused, or read as JSON.parse reads it", () => {
    const text = JSON.stringify({ a: [1, 2.5, { b: "Ж\n\"x\"" }], c: null, d: true, e: -0.001 })
    const damage = fc.tuple(fc.nat(text.length), fc.nat(3), fc.string({ maxLength: 3 }))
    fc.assert(fc.property(damage, ([at, cut, insert]) => {
      const damaged = text.slice(0, at) + insert + text.slice(at + cut)
      if (accepts(damaged)) expect(platformAccepts(damaged)).toBe(true)
    }), { numRuns: 2_000 })
  })

  it.each([
    ["a member repeated with another value", "{\"a\":1,\"a\":2}"],
    ["a member repeated with the same value", "{\"a\":1,\"a\":1}"],
    ["a member repeated under another spelling", "{\"a\":1,\"\\u0061\":1}"],
    ["a repeated __proto__", "{\"__proto__\":1,\"__proto__\":1}"],
    ["half a surrogate pair in a value", "{\"a\":\"\\ud83d\"}"],
    ["half a surrogate pair in a name", "{\"\\ude00\":1}"],
    ["two halves in the wrong order", "\"\\ude00\\ud83d\""],
    ["a raw control character", "\"\u0001\""],
    ["nesting beyond the bound", "[".repeat(33) + "]".repeat(33)],
    ["nesting that would exhaust the stack", "[".repeat(500_000)],
    ["text after the document", "{} {}"],
    ["nothing", ""]
  ])("refuses %s", (_what, text) => {
    expect(accepts(text)).toBe(false)
  })

  it("reads surrogate pairs written as escapes", () => {
    expect(parsed("\"\\ud83d\\ude00\"")).toBe("😀")
  })

  it("keeps __proto__ a member like any other", () => {
    const read = Result.getOrThrow(readJson("{\"__proto__\":{\"polluted\":true}}")) as object
    expect(Object.keys(read)).toEqual(["__proto__"])
    expect("polluted" in read).toBe(false)
  })

  it("reads numbers from their source text, exactly", () => {
    const [small, trailing, exponent] = Result.getOrThrow(readJson("[0.1, 1.50, 12e-1]")) as ReadonlyArray<BigDecimal.BigDecimal>
    expect([small, trailing, exponent].map((value) => value === undefined ? "" : BigDecimal.format(value))).toEqual(["0.1", "1.5", "1.2"])
  })

  it("keeps a number it cannot hold exactly as what was written", () => {
    expect(Result.getOrThrow(readJson("0.12345678901234567"))).toEqual(new UnrepresentableNumber("0.12345678901234567"))
  })
})
