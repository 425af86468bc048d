import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { decodeVerificationLink, signedMessage, signedTin, type VerificationLink, verifySignature } from "@overa/domain"
import { refundLink, saleLink, sandboxTin, signerModulus } from "./verificationVectors.ts"

const decoded = (url: string): VerificationLink => Result.getOrThrow(decodeVerificationLink(url))
const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""))
const hexOfText = (text: string) => hex(new TextEncoder().encode(text))
const sale = decoded(saleLink)
const facts = { tin: sandboxTin, buyerId: "RS34564565" }

describe("The message a signer signs (V-PFR §7.4)", () => {
  it("is the sale's facts byte for byte: big-endian numbers, texts padded with zeros on the left", () => {
    assert.strictEqual(hex(signedMessage(sale, facts)), [
      "0000018890708df0", // 2023-06-06T11:21:15.504Z in milliseconds
      `${"00".repeat(9)}${hexOfText("RS111911206")}`,
      `${"00".repeat(10)}${hexOfText("RS34564565")}`,
      "00", // Normal
      "00", // Sale
      "000000000a7238", // 684 600 ten-thousandths of a dinar
      "000021cc", // 8652, the counter of its kind
      "00002c7d", // 11389, the total counter
      hex(sale.encryptedInternalData)
    ].join(""))
  })

  it("names another kind by the tax authority's numbers, and no buyer by zeros", () => {
    const message = hex(signedMessage({ ...sale, invoiceType: "ADVANCE", transactionType: "REFUND" }, { ...facts, buyerId: null }))
    assert.strictEqual(message?.slice(56, 100), `${"00".repeat(20)}0401`)
  })

  it("exists up to the last value that has a place in it, and no further", () => {
    const withAmount = (tenThousandths: bigint) => signedMessage({ ...sale, totalAmount: BigDecimal.make(tenThousandths, 4) }, facts)
    assert.strictEqual(hex(withAmount(2n ** 56n - 1n))?.slice(100, 114), "ff".repeat(7))
    assert.isNull(withAmount(2n ** 56n))
    assert.strictEqual(hex(signedMessage(sale, { ...facts, tin: "9".repeat(20) }))?.slice(16, 56), "39".repeat(20))
    assert.isNull(signedMessage(sale, { ...facts, tin: "9".repeat(21) }))
    assert.isNull(signedMessage(sale, { ...facts, buyerId: "ш".repeat(11) }))
    assert.isNull(signedMessage({ ...sale, totalCounter: 2 ** 32 }, facts))
    assert.isNull(signedMessage({ ...sale, transactionTypeCounter: 2 ** 32 }, facts))
  })
})

describe("The TIN in the signed message (V-PFR §7.4)", () => {
  it.each([
    ["111911206", "sandbox", "RS111911206"],
    ["RS111911206", "sandbox", "RS111911206"],
    ["111911206", "production", "111911206"]
  ] as const)("of %s in %s is %s", (tin, environment, written) => assert.strictEqual(signedTin(tin, environment), written))
})

describe("What no holder of the key can have signed is false, never a failure (V-PFR §7.4)", () => {
  const bigInt = (bytes: Uint8Array) => BigInt(`0x${hex(bytes)}`)
  const bytesOf = (value: bigint) => Uint8Array.from(value.toString(16).padStart(512, "0").match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const refund = decoded(refundLink)
  const refundFacts = { tin: sandboxTin, buyerId: null, modulus: signerModulus }

  it("a second number for a genuine signature: the modulus added to it", () => {
    assert.isTrue(verifySignature(refund, refundFacts))
    assert.deepStrictEqual(bytesOf(bigInt(refund.signature)), refund.signature)
    assert.isFalse(verifySignature({ ...refund, signature: bytesOf(bigInt(refund.signature) + signerModulus) }, refundFacts))
  })

  it.each([["zero", 0n], ["negative", -signerModulus], ["one", 1n]])("a modulus of %s", (_, modulus) => {
    assert.isFalse(verifySignature(refund, { ...refundFacts, modulus }))
    assert.isFalse(verifySignature({ ...refund, signature: new Uint8Array(256) }, { ...refundFacts, modulus }))
  })

  it.each([
    ["that is none", new Uint8Array(0)],
    ["of one byte", Uint8Array.of(1)],
    ["one byte too short", refund.signature.subarray(1)],
    ["with a zero before it", Uint8Array.of(0, ...refund.signature)],
    ["of zeros", new Uint8Array(256)],
    ["one bit off", refund.signature.map((byte, at) => (at === 255 ? byte ^ 1 : byte))]
  ])("a signature %s", (_, signature) => {
    assert.isFalse(verifySignature({ ...refund, signature }, refundFacts))
  })

  it("a key longer than the signature", () => {
    assert.isFalse(verifySignature(refund, { ...refundFacts, modulus: 2n ** 4096n + 1n }))
  })

  it("a message that has no place for one of its values", () => {
    assert.isFalse(verifySignature({ ...refund, totalAmount: BigDecimal.make(2n ** 56n, 4) }, refundFacts))
  })
})
