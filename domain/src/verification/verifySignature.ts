import { sha1 } from "@noble/hashes/legacy.js"
import { BigDecimal } from "effect"
import { bytesEqual } from "./bytes.ts"
import { invoiceTypeNumber, transactionTypeNumber } from "./pfrCodes.ts"
import type { VerificationLink } from "./VerificationLink.ts"

const publicExponent = 65_537n
/** DER of DigestInfo for SHA-1, up to the 20 digest bytes (RFC 8017 §9.2). */
const sha1DigestInfo = Uint8Array.of(0x30, 0x21, 0x30, 9, 6, 5, 0x2b, 0x0e, 3, 2, 0x1a, 5, 0, 4, 0x14)
const identifierLength = 20
/** RSA-2048: 256 bytes, never fewer (RFC 8017 §8.2.2, step 1). */
const signatureLength = 256

/** The facts besides the link that are signed or needed: the seller's TIN as signed, and the signer's public modulus. */
export interface SignatureFacts {
  /** As the signer writes it: nine digits in production, `RS` and nine digits in the sandbox (V-PFR §7.4). */
  readonly tin: string
  /** The buyer as the receipt names it; null for none. */
  readonly buyerId: string | null
  /** RSA-2048 modulus of the signer. */
  readonly modulus: bigint
}

const bigIntFromBytes = (bytes: Uint8Array): bigint => {
  let hex = ""
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0")
  return BigInt(`0x${hex}`)
}

/** Big-endian, exactly `length` bytes; null when the value needs more. */
const bytesFromBigInt = (value: bigint, length: number): Uint8Array | null => {
  const hex = value.toString(16)
  if (hex.length > length * 2) return null
  const padded = hex.padStart(length * 2, "0")
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(padded.slice(i * 2, i * 2 + 2), 16))
}

const paddedIdentifier = (text: string): Uint8Array | null => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > identifierLength) return null
  const padded = new Uint8Array(identifierLength)
  padded.set(bytes, identifierLength - bytes.length)
  return padded
}

/** The bytes a signer signs: the secure element's answer up to the signature (V-PFR §7.4). Null when a value does not fit its field. */
export const signedMessage = (
  link: Omit<VerificationLink, "root" | "digest" | "digested" | "signature" | "buyerId" | "requestedBy" | "signedBy">,
  facts: Omit<SignatureFacts, "modulus">
): Uint8Array | null => {
  const parts = [
    bytesFromBigInt(BigInt(link.sdcTimeMillis), 8),
    paddedIdentifier(facts.tin),
    paddedIdentifier(facts.buyerId ?? ""),
    Uint8Array.of(invoiceTypeNumber[link.invoiceType], transactionTypeNumber[link.transactionType]),
    bytesFromBigInt(BigDecimal.scale(link.totalAmount, 4).value, 7),
    bytesFromBigInt(BigInt(link.transactionTypeCounter), 4),
    bytesFromBigInt(BigInt(link.totalCounter), 4),
    link.encryptedInternalData
  ]
  const message = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  let at = 0
  for (const part of parts) {
    if (part === null) return null
    message.set(part, at)
    at += part.length
  }
  return message
}

const modularPower = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** The whole padded block is compared, never parsed: lenient parsers are how such signatures are forged (RFC 8017 §8.2.2). */
const expectedBlock = (message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(signatureLength).fill(0xff)
  const digest = sha1(message)
  const separator = signatureLength - digest.length - sha1DigestInfo.length - 1
  block.set([0, 1])
  block[separator] = 0
  block.set(sha1DigestInfo, separator + 1)
  block.set(digest, signatureLength - digest.length)
  return block
}

/**
 * Whether the receipt was signed by the holder of that key: RSA-2048, PKCS#1 v1.5, SHA-1, e = 65537 over {@link signedMessage}.
 * False for every value that cannot have been signed. Source: V-PFR §7.4 (derived from real receipts, found in no document).
 */
export const verifySignature = (link: VerificationLink, facts: SignatureFacts): boolean => {
  const message = signedMessage(link, facts)
  if (message === null || link.signature.length !== signatureLength) return false
  const signature = bigIntFromBytes(link.signature)
  if (signature >= facts.modulus) return false // as is every signature, where the modulus is not above zero
  const block = bytesFromBigInt(modularPower(signature, publicExponent, facts.modulus), signatureLength)
  return block !== null && bytesEqual(block, expectedBlock(message))
}
