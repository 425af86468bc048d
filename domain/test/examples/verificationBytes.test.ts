import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { base64Of } from "../../src/journal-log/signedNote.ts"
import { bytesEqual, bytesFromBase64, isBase64Of } from "../../src/verification/bytes.ts"
import { checkLink } from "../../src/verification/checkReceipt.ts"
import { decodeVerificationLink } from "../../src/verification/VerificationLink.ts"
import { signedLink, testSignerModulus } from "../arbitraries/SignedReceipt.ts"
import { saleLink } from "./verificationVectors.ts"

describe("Bytes", () => {
  const few = fc.uint8Array({ maxLength: 4, max: 2 })
  const pair = fc.oneof(fc.tuple(few, few), few.map((bytes) => [bytes, bytes.slice()] as const))

  it("are equal where their length and each of them are, as bytes and in base64", () => {
    fc.assert(fc.property(pair, ([one, other]) => {
      const isSame = one.join() === other.join()
      expect(bytesFromBase64(base64Of(one))).toEqual(one)
      expect([bytesEqual(one, other), isBase64Of(base64Of(one), other)]).toEqual([isSame, isSame])
    }), { numRuns: 500 })
  })

  it("are in no text that is no base64", () => {
    expect([isBase64Of("?", new Uint8Array(0)), isBase64Of("", new Uint8Array(0)), bytesFromBase64("?")]).toEqual([false, true, null])
  })
})

describe("The longest link", () => {
  const example = Result.getOrThrow(decodeVerificationLink(saleLink))
  const [root = "", payload = ""] = signedLink({ ...example, buyerId: "1".repeat(20), encryptedInternalData: new Uint8Array(512).fill(255) }, "").split("?vl=")
  const encoded = [...decodeURIComponent(payload)].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("")

  it("with every character percent-encoded is read", () => {
    expect(Result.getOrThrow(decodeVerificationLink(`${root}?vl=${encoded}`)).buyerId).toBe("1".repeat(20))
  })

  it("is far shorter than what is refused before it is decoded", () => {
    const read = decodeVerificationLink(`${root}?vl=${"A".repeat(8_192)}`)
    expect([encoded.length < 4_096, Result.isFailure(read) ? read.failure.reason : "read"]).toEqual([true, "longer than 8192 characters"])
  })
})

describe("A link signed for an empty TIN", () => {
  const decoded = (url: string) => Result.getOrThrow(decodeVerificationLink(url))
  const signed = decoded(signedLink(decoded(saleLink), ""))
  const signers = [{ name: "own", modulus: testSignerModulus }]

  it("proves nothing where no TIN is given", () => {
    expect(checkLink(signed, { tin: "", signers })).toMatchObject({ signatureValid: true, signer: signers[0], standing: { totalAmount: "PROVEN" } })
    expect(checkLink(signed, { signers })).toMatchObject({ signatureValid: null, signer: null, standing: { totalAmount: "CLAIMED" } })
  })
})
