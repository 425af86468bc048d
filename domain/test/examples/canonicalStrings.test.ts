import fc from "fast-check"
import { expect, it } from "vitest"
import { canonicalContent } from "../../src/idempotency/boundKey.ts"

const units = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 40 })
const likely = fc.string({ unit: fc.constantFrom("a", "Ђ", "\"", "\\", "\n", "\u0000", "\u007f", "\u2028", "\ud83d", "\udc31", "😀"), maxLength: 12 })

// Today's fingerprint may be compared with one that is years old: the fast path must write what JSON writes, for every text.
it("names and texts are written as JSON writes them", () => {
  fc.assert(fc.property(fc.oneof(units, likely), fc.oneof(units, likely), (name, text) => {
    const body = Object.create(null) as Record<string, unknown>
    body[`x${name}`] = text
    expect(canonicalContent("POST /v1/x", body)).toBe(`POST /v1/x\n{${JSON.stringify(`x${name}`)}:${JSON.stringify(text)}}`)
  }), { numRuns: 2_000 })
})
