import { readSignedAnswer, type SignedAnswer } from "@overa/domain"
import { fc, test } from "@fast-check/vitest"
import { Equal, Result } from "effect"
import { assert, describe, it } from "vitest"
import { sampleAnswer } from "../../../contract-tests/src/support/sampleOperations.ts"
import { signedAnswer } from "../../vpfr/test/support/signedAnswer.ts"
import { decodeAnswer, encodeAnswerFacts, verificationUrlIn } from "../src/rows/storedAnswer.ts"
import { storableText } from "../src/rows/storedJson.ts"

const sale = `{"invoiceType":0,"transactionType":0,"items":[{"totalAmount":100}]}`

const read = (text: string): SignedAnswer => Result.getOrThrow(readSignedAnswer(text)).answer

/** Few values, so that text and facts are often equal. */
const word = fc.constantFrom("", "journal", "рачун\r\n", "\u0000", "\ud800")
const said = fc.oneof(word, fc.constantFrom(null, 1, {}, ["journal"]))
const link = "https://pfr.test/v/?vl=A0"
const links = fc.constantFrom(link, "https://pfr.test/v/?vl=B1", "")
/** Texts that name the link in unusual ways: twice, inside another member, escaped, within a text. */
const unusual = fc.tuple(links, links).chain(([one, other]) =>
  fc.constantFrom(
    `{"verificationUrl":"${one}","verificationUrl":"${other}"}`,
    `{"verificationUrl":"${one}","verificationUr\\u006c":"${other}"}`,
    `{"more":{"verificationUrl":"${one}"},"verificationUrl" : "${other}"}`,
    `{"verificationUrl":"${one.replaceAll("/", "\\/")}","more":["${other}"]}`,
    `{"verificationUrl":"${one}\\u0026","more":1}`,
    `{"journal":"\\"verificationUrl\\":\\"${one}\\"","verificationUrl":"${other}"}`,
    `{"journal":"verificationUrl","more":"${one}","verificationUrl":"${other}"}`,
    `{"verificationUrl":"\\q","more":"${one}"}`,
    `"verificationUrl":"${one}`
  ))
const text = fc.oneof(
  unusual,
  fc.constantFrom("", "null", "[]", "not JSON", "{", `{"__proto__":{"journal":"journal"}}`, `{"toString":1}`),
  fc.record({ journal: said, verificationUrl: said, encryptedInternalData: said, signature: said }, { requiredKeys: [] }).map((members) =>
    JSON.stringify(members)),
  fc.string()
)

describe("a signed answer comes back from its two columns as it was", () => {
  test.prop({
    text,
    journal: word,
    verificationUrl: fc.oneof(word, links),
    encryptedInternalData: fc.option(word),
    signature: fc.option(word)
  })("whatever its text says of itself", ({ encryptedInternalData, journal, signature, text, verificationUrl }) => {
    const sample = sampleAnswer("ABCD2345-ABCD2345-9")
    const answer = { ...sample, text, encryptedInternalData, signature, pfr: { ...sample.pfr, journal, verificationUrl } }
    const back = decodeAnswer(storableText(text), encodeAnswerFacts(answer))
    assert.isTrue(Equal.equals(back, { ...answer, text: storableText(text) }))
  })

  test.prop({ text, verificationUrl: fc.oneof(word, links) })("a link left to the text is found there without parsing it", ({ text, verificationUrl }) => {
    const sample = sampleAnswer("ABCD2345-ABCD2345-9")
    const facts = JSON.parse(encodeAnswerFacts({ ...sample, text, pfr: { ...sample.pfr, verificationUrl } })) as { readonly pfr: { readonly verificationUrl?: string } }
    assert.strictEqual(facts.pfr.verificationUrl ?? verificationUrlIn(storableText(text)), verificationUrl)
  })

  it("what the text says is not stored a second time", () => {
    const answer = read(JSON.stringify({ ...signedAnswer(sale, "TESTJID1", 1), journal: "ФИСКАЛНИ РАЧУН ".repeat(100) }))
    const facts = encodeAnswerFacts(answer)
    assert.isTrue(Equal.equals(decodeAnswer(answer.text, facts), answer))
    for (const long of [answer.pfr.journal, answer.pfr.verificationUrl, answer.encryptedInternalData, answer.signature]) {
      assert.notInclude(facts, JSON.stringify(long))
    }
    assert.isBelow(facts.length, 1_000)
  })

  it("what the text says under another name is stored with the facts", () => {
    const { journal, ...answer } = { ...signedAnswer(sale, "TESTJID1", 1), journal: "ФИСКАЛНИ РАЧУН" }
    const pascal = read(JSON.stringify({ ...answer, Journal: journal }))
    assert.include(encodeAnswerFacts(pascal), journal)
    assert.isTrue(Equal.equals(decodeAnswer(pascal.text, encodeAnswerFacts(pascal)), pascal))
  })

  it("a text that lost what was left to it is a defect, not an answer without a journal", () => {
    const answer = read(JSON.stringify({ ...signedAnswer(sale, "TESTJID1", 1), journal: "ФИСКАЛНИ РАЧУН" }))
    assert.throws(() => decodeAnswer("{}", encodeAnswerFacts(answer)), /Missing key/)
  })
})
