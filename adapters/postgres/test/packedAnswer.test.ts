import { fc, test } from "@fast-check/vitest"
import { readSignedAnswer } from "@overa/domain"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { linkWith, unusualAnswers, wholeAnswers } from "../../../contract-tests/src/support/answerTexts.ts"
import { packAnswer, unpackAnswer } from "../src/rows/packedAnswer.ts"

const sizeOf = (text: string): number => Buffer.byteLength(text)

describe("an answer is stored without what its link repeats", () => {
  test.prop({ answer: wholeAnswers })("a whole one is shorter by its signature and its encrypted data, and comes back character for character", ({ answer }) => {
    const packed = packAnswer(answer.text)
    // A mark at its beginning, and a sign for each value.
    assert.strictEqual(sizeOf(packed), sizeOf(answer.text) - answer.signature.length - answer.encrypted.length + 3)
    assert.notInclude(packed, answer.signature)
    assert.strictEqual(unpackAnswer(packed), answer.text)
  })

  test.prop({ text: unusualAnswers })("one that is written in another way comes back character for character too", ({ text }) => {
    assert.strictEqual(unpackAnswer(packAnswer(text)), text)
  })

  test.prop({ answer: wholeAnswers, at: fc.nat(), by: fc.constantFrom("\u0001", "\u0002", "\u0003", "\u0004", "\"", "%2B", "") })(
    "one that was damaged on its way too", ({ answer: { text }, at, by }) => {
      const place = at % text.length
      const damaged = `${text.slice(0, place)}${by}${text.slice(place + 1)}`
      assert.strictEqual(unpackAnswer(packAnswer(damaged)), damaged)
    })

  test.prop({ answer: wholeAnswers })("no answer begins as a packed one: it would be no JSON", ({ answer: { text } }) => {
    assert.isTrue(Result.isFailure(readSignedAnswer(packAnswer(text))))
    assert.isTrue(Result.isFailure(readSignedAnswer(`\u0001${text}`)))
  })

  it.each([
    ["an answer of an earlier release", `{"signature":"AAEC","encryptedInternalData":"AAEC","verificationUrl":"https://pfr.test/v/?vl=AAEC"}`],
    ["without a link", `{"signature":"${"A".repeat(344)}"}`],
    ["with a link of another layout", `{"verificationUrl":"https://pfr.test/v/?vl=${linkWith(Buffer.alloc(9))}"}`],
    ["with a link that is no base64", `{"verificationUrl":"https://pfr.test/v/?vl=%2B%2"}`],
    ["with a link without its parameter", `{"verificationUrl":"AAAA"}`],
    ["empty", ""]
  ])("%s is stored as it is", (_, text) => {
    assert.strictEqual(packAnswer(text), text)
    assert.strictEqual(unpackAnswer(text), text)
  })
})
