import { BigDecimal, DateTime, Equal, Schema } from "effect"
import { fc, test } from "@fast-check/vitest"
import { assert, describe, it } from "vitest"
import { fromStoredJson, storableText, toStoredJson } from "../src/rows/storedJson.ts"

const Kept = Schema.Struct({
  text: Schema.String,
  amount: Schema.BigDecimal,
  at: Schema.DateTimeUtc,
  metadata: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.BigDecimal, Schema.Boolean, Schema.Null]))
})

const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 15 })).map(([value, scale]) =>
  BigDecimal.make(value, scale))
const metadataValue = fc.oneof(fc.string({ unit: "binary" }), decimal, fc.boolean(), fc.constant(null))

describe("what is stored as text comes back as it was", () => {
  test.prop({
    text: fc.string({ unit: "binary" }),
    amount: decimal,
    at: fc.integer({ min: -62_000_000_000_000, max: 200_000_000_000_000 }),
    metadata: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$decimal", "$instant", "$", "$$decimal")), metadataValue)
  })("decimals with their scale, instants to the millisecond, every text", (sample) => {
    const value = { ...sample, at: DateTime.toUtc(DateTime.makeUnsafe(sample.at)) }
    const back = fromStoredJson(Kept)(toStoredJson(value))
    assert.isTrue(Equal.equals(back, value))
    assert.strictEqual(back.amount.scale, value.amount.scale)
    assert.strictEqual(toStoredJson(back), toStoredJson(value))
  })

  it("a number and its text stay two things", () => {
    const metadata = { text: "1.50", number: BigDecimal.fromStringUnsafe("1.50") }
    const back = fromStoredJson(Kept.fields.metadata)(toStoredJson(metadata))
    assert.strictEqual(back["text"], "1.50")
    assert.isTrue(BigDecimal.isBigDecimal(back["number"]))
  })

  it.each([{ $decimal: "1.5" }, { $decimal: "no number" }, { $instant: "0" }, { $$decimal: "1" }, { $: "" }])(
    "a caller's own member is not taken for a tag: %j",
    (metadata) => {
      assert.deepStrictEqual(fromStoredJson(Kept.fields.metadata)(toStoredJson(metadata)), metadata)
    }
  )

  it.each(['{"b":"1","__proto__":"x","a":null}', '{"__proto__":{"__proto__":["1"]}}', '{"2":"x","__proto__":"$","a":{}}'])(
    "members keep their order and their names, whatever they are called: %s",
    (text) => {
      assert.strictEqual(toStoredJson(JSON.parse(text)), text)
    }
  )

  it("what this release cannot read is a loud failure, not a guess", () => {
    assert.throws(() => fromStoredJson(Kept)("{\"text\":1}"))
  })

  it("the one character PostgreSQL cannot hold is made visible", () => {
    assert.strictEqual(storableText("a\0b"), "a␀b")
  })
})
