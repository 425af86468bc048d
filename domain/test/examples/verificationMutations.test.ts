import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { decodeVerificationLink, outcomeOfAnswer } from "@overa/domain"
import fc from "fast-check"
import { decimal, facts, sale } from "./verificationSale.ts"
import { saleAnswerText, saleLink } from "./verificationVectors.ts"

const damage = fc.array(
  fc.record({ at: fc.nat(saleAnswerText.length), cut: fc.nat(40), put: fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("0", "\"", "}", "\\", "null", "-1")) }),
  { minLength: 1, maxLength: 3 }
)
const damaged = (text: string, hits: ReadonlyArray<{ readonly at: number; readonly cut: number; readonly put: string }>) =>
  hits.reduce((whole, { at, cut, put }) => whole.slice(0, at) + put + whole.slice(at + cut), text)

describe("A damaged answer never crashes the reader, and is believed only where what identifies it survived", () => {
  it("any damage to the real answer", () => {
    fc.assert(
      fc.property(damage, (hits) => {
        const text = damaged(saleAnswerText, hits)
        const outcome = outcomeOfAnswer(sale, text, facts)
        if (outcome._tag !== "Signed") return assert.strictEqual(outcome._tag, "NoAnswer")
        const { pfr } = outcome.answer
        assert.strictEqual(pfr.requestedBy, sale.jid)
        assert.isTrue(BigDecimal.equals(pfr.totalAmount, decimal("68.46")))
        return assert.strictEqual(outcome.answer.text, text)
      }),
      { numRuns: 2_000 }
    )
  })

  it("any text at all", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.strictEqual(outcomeOfAnswer(sale, text, facts)._tag, "NoAnswer")
    }))
  })

  it("any damage to a link", () => {
    fc.assert(fc.property(damage, (hits) => {
      const result = decodeVerificationLink(damaged(saleLink, hits))
      assert.include(["Success", "Failure"], result._tag)
    }))
  })
})
