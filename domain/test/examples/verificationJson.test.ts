import { assert, describe, it } from "@effect/vitest"
import { decimalField, formatDecimal, integerField, isJsonObject, parseExactJson } from "@overa/domain"
import fc from "fast-check"

const amountOf = (text: string) => {
  const body = parseExactJson(text)
  const amount = isJsonObject(body) ? decimalField(body, "amount") : null
  return amount === null ? null : formatDecimal(amount)
}

describe("Numbers of an answer are read exactly, never through floating point arithmetic", () => {
  it.each([
    ["68.46", "68.46"],
    ["0.1", "0.1"],
    ["9.00", "9"],
    ["-0.0500", "-0.05"],
    ["999999999999.99", "999999999999.99"],
    ["123456789012345", "123456789012345"],
    ["9007199254740993", "9007199254740993"],
    ["68.4600000000000001", "68.4600000000000001"],
    ["0.1234567890123456789", "0.1234567890123456789"],
    ["1e3", "1000"],
    ["1.5E-3", "0.0015"],
    ["\"12.50\"", "12.5"]
  ])("%s is %s", (source, expected) => {
    assert.strictEqual(amountOf(`{"amount":${source}}`), expected)
    assert.strictEqual(amountOf(`{"other":12345678901234567890,"amount":${source}}`), expected)
  })

  it.each(["1e999", "1e300", "12345678901234567890123456789012345", "\"1e3\"", "\"\"", "null", "true", "[1]", "\" 1\""])(
    "%s is no amount",
    (source) => {
      assert.isNull(amountOf(`{"amount":${source}}`))
    }
  )

  it("digits inside texts are no numbers, however they are quoted", () => {
    assert.strictEqual(amountOf(String.raw`{"text":"12345678901234567890 \" 12345678901234567890 \\","amount":0.3}`), "0.3")
  })

  it("any decimal of the size of money comes back as it was written", () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 6 }), (digits, scale) => {
      const text = digits.toString().padStart(scale + 1, "0")
      const whole = text.slice(0, text.length - scale)
      const fraction = text.slice(text.length - scale)
      const source = fraction === "" ? whole : `${whole}.${fraction}`
      const canonical = fraction.replace(/0+$/, "") === "" ? whole : `${whole}.${fraction.replace(/0+$/, "")}`
      assert.strictEqual(amountOf(`{"amount":${source}}`), canonical)
    }))
  })

  it("whole numbers are whole, safe numbers", () => {
    const integerOf = (source: string) => {
      const body = parseExactJson(`{"n":${source}}`)
      return isJsonObject(body) ? integerField(body, "n") : null
    }
    assert.deepStrictEqual(["7", "7.0", "\"7\"", "0", "-3"].map(integerOf), [7, 7, 7, 0, -3])
    assert.deepStrictEqual(["7.5", "9007199254740993", "\"x\"", "null", "1e300"].map(integerOf), [null, null, null, null, null])
  })

  it("what is no JSON is nothing", () => {
    for (const text of ["", "{", "<html>", "{\"a\":01}", "nul"]) assert.isUndefined(parseExactJson(text))
  })
})

describe("What no answer can look like is refused before it is parsed", () => {
  const padded = (text: string, length = 65_537) => text.padEnd(length, " ")
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
  const isRead = (text: string) => parseExactJson(text) !== undefined

  it("a long text nests at most 32 levels, a short one as deep as it likes", () => {
    assert.isTrue(isRead(padded(nested(32))))
    assert.isFalse(isRead(padded(nested(33))))
    assert.isFalse(isRead(padded(`${"{\"a\":".repeat(33)}1${"}".repeat(33)}`)))
    assert.isTrue(isRead(nested(33)))
    assert.isTrue(isRead(padded(nested(33), 65_536)))
  })

  it("what was closed counts no longer", () => {
    assert.isTrue(isRead(padded(`[${Array(500).fill("[[]]").join()}]`)))
    assert.isTrue(isRead(padded(`[${Array(500).fill("{}").join()}]`)))
  })

  it("a long text has at most ten thousand commas", () => {
    assert.isTrue(isRead(padded(`[${"0,".repeat(10_000)}0]`)))
    assert.isFalse(isRead(padded(`[${"0,".repeat(10_001)}0]`)))
    assert.isTrue(isRead(`[${"0,".repeat(10_001)}0]`))
  })

  it("signs inside texts count for nothing, whatever is escaped in them", () => {
    for (const inside of ["[".repeat(70_000), "{,".repeat(40_000), `"${"[".repeat(70_000)}`, `\\"${",".repeat(70_000)}`]) {
      assert.deepStrictEqual(parseExactJson(JSON.stringify([inside, 1])), [inside, 1])
    }
    assert.isFalse(isRead(padded(`["\\\\",${nested(40)}]`)))
    assert.isFalse(isRead(padded(`["\\"",${nested(40)}]`)))
  })

  it("anything that is no JSON is undefined, never a failure", () => {
    fc.assert(fc.property(fc.string(), (text) => {
      let read: unknown
      try {
        read = JSON.parse(text)
      } catch {
        read = undefined
      }
      return (parseExactJson(text) === undefined) === (read === undefined)
    }))
  })
})

describe("Numbers of at most fifteen digits stay numbers", () => {
  it.each([
    ["{\"a\":12.5}", "number"],
    ["{\"a\":123456789012345}", "number"],
    ["{\"s\":\"1234567890123456\",\"a\":12.5}", "number"],
    ["{\"s\":\"12345678901234567\",\"a\":123456789012345}", "number"],
    ["{\"s\":\"a\\\"1234567890123456\",\"a\":1}", "number"],
    ["{\"s\":1234567890123456,\"a\":12.5}", "object"],
    ["{\"s\":\"1234567890123456\",\"t\":1234567890123456,\"a\":12.5}", "object"]
  ])("%s", (text, kind) => {
    const body = parseExactJson(text)
    assert.strictEqual(typeof (isJsonObject(body) ? body["a"] : undefined), kind)
  })
})
