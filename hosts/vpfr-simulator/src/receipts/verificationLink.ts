import { createHash } from "node:crypto"
import { invoiceTypes, type InvoiceType, type TransactionType, transactionTypes } from "../protocol/InvoiceRequest.ts"

/** The signed facts; the link carries all of them but the tax identifier (V-PFR §7). */
export interface SignedFacts {
  readonly requestedBy: string
  readonly signedBy: string
  readonly totalCounter: number
  readonly transactionTypeCounter: number
  /** Ten-thousandths of a dinar. */
  readonly totalAmount: bigint
  /** PFR time, Unix milliseconds. */
  readonly time: number
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  readonly buyerId: string
  readonly encryptedInternalData: Uint8Array
}

export interface VerificationLink extends SignedFacts {
  readonly signature: Uint8Array
}

const signatureLength = 256
const digestLength = 16

/** Characters outside ASCII become question marks, as an ASCII encoder writes them. */
export const asciiBytes = (text: string): Buffer => Buffer.from([...text].map((character) => (character > "\u007f" ? "?" : character)).join(""), "latin1")

const u64 = (value: bigint, order: "little" | "big"): Buffer => {
  const bytes = Buffer.alloc(8)
  if (order === "little") bytes.writeBigUInt64LE(value)
  else bytes.writeBigUInt64BE(value)
  return bytes
}

const u32Little = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** The bytes behind `?vl=` (V-PFR §7.1): counters and amount little-endian, time big-endian, MD5 of the rest at the end. */
export const encodeVerificationLink = (link: VerificationLink): Buffer => {
  const buyer = asciiBytes(link.buyerId)
  const content = Buffer.concat([
    Buffer.from([3]),
    Buffer.from(link.requestedBy + link.signedBy, "latin1"),
    u32Little(link.totalCounter),
    u32Little(link.transactionTypeCounter),
    u64(link.totalAmount, "little"),
    u64(BigInt(link.time), "big"),
    Buffer.from([invoiceTypes.indexOf(link.invoiceType), transactionTypes.indexOf(link.transactionType), buyer.length]),
    buyer,
    link.encryptedInternalData,
    link.signature
  ])
  return Buffer.concat([content, createHash("md5").update(content).digest()])
}

export const verificationUrl = (root: string, link: VerificationLink): string =>
  root + encodeURIComponent(encodeVerificationLink(link).toString("base64"))

/** Reads the value of `vl`, already percent-decoded; null where layout or MD5 are wrong. */
export const decodeVerificationLink = (vl: string): VerificationLink | null => {
  const bytes = Buffer.from(vl, "base64")
  const buyerLength = bytes[43] ?? 0
  const internalLength = bytes.length - 44 - buyerLength - signatureLength - digestLength
  if (bytes[0] !== 3 || (internalLength !== 256 && internalLength !== 512)) return null
  const content = bytes.subarray(0, -digestLength)
  if (!createHash("md5").update(content).digest().equals(bytes.subarray(-digestLength))) return null
  const invoiceType = invoiceTypes[bytes[41] ?? -1]
  const transactionType = transactionTypes[bytes[42] ?? -1]
  if (invoiceType === undefined || transactionType === undefined) return null
  return {
    requestedBy: bytes.toString("latin1", 1, 9),
    signedBy: bytes.toString("latin1", 9, 17),
    totalCounter: bytes.readUInt32LE(17),
    transactionTypeCounter: bytes.readUInt32LE(21),
    totalAmount: bytes.readBigUInt64LE(25),
    time: Number(bytes.readBigUInt64BE(33)),
    invoiceType,
    transactionType,
    // Some local processors write twenty bytes with leading zeros (V-PFR §7.1).
    buyerId: bytes.toString("latin1", 44, 44 + buyerLength).replace(/^\0+/, ""),
    encryptedInternalData: bytes.subarray(44 + buyerLength, 44 + buyerLength + internalLength),
    signature: content.subarray(-signatureLength)
  }
}
