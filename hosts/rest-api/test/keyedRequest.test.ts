import { portableSha256 } from "@overa/domain"
import fc from "fast-check"
import { expect, it } from "vitest"
import { sha256 } from "@overa/host-kit"

// A fingerprint may be compared with one that an old release computed, so both ways must agree for ever.
it("the host's SHA-256 is the domain's, for lone surrogates and everything else", () => {
  fc.assert(fc.property(fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 300 }), (text) => {
    expect(sha256(text)).toBe(portableSha256(text))
  }))
})
