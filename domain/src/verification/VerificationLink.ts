import { md5 } from "@noble/hashes/legacy.js"
import { BigDecimal, Data, Result } from "effect"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import { bytesEqual, bytesFromBase64 } from "./bytes.ts"
import { invoiceTypeOfNumber, isJid, transactionTypeOfNumber } from "./pfrCodes.ts"

/** Text that is no verification link of the known layout (V-PFR §7.1). No Schema: it never leaves the process, and a page that reads a link needs none. */
export class LinkUnreadable extends Data.TaggedError("LinkUnreadable")<{ readonly reason: string }> {}

/**
 * What a receipt's verification link says about it, as the signer wrote it into the QR code.
 * Source: V-PFR §7.1.
 */
export interface VerificationLink {
  /** The link up to and including `vl=`, e.g. `https://suf.purs.gov.rs/v/?vl=`. */
  readonly root: string
  /** JID of the taxpayer's element. */
  readonly requestedBy: string
  /** JID of the signer. */
  readonly signedBy: string
  readonly totalCounter: number
  readonly transactionTypeCounter: number
  /** Dinars, four decimals. */
  readonly totalAmount: BigDecimal.BigDecimal
  /** PFR time, milliseconds since 1970 in UTC. */
  readonly sdcTimeMillis: number
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** `code:value` as signed; null when the receipt names no buyer. */
  readonly buyerId: string | null
  /** Encrypted for the tax authority; opaque to everyone else. */
  readonly encryptedInternalData: Uint8Array
  readonly signature: Uint8Array
  /** MD5 over {@link VerificationLink.digested}, as the link carries it. */
  readonly digest: Uint8Array
  /** Every byte before the digest. */
  readonly digested: Uint8Array
}

/** `requestedBy-signedBy-totalCounter`: the receipt's number (V-PFR §3). */
export const invoiceNumberOf = (
  link: Pick<VerificationLink, "requestedBy" | "signedBy" | "totalCounter">
): string => `${link.requestedBy}-${link.signedBy}-${link.totalCounter}`

const fixedLength = 44
/** Every signer has an RSA key of 2048 bits. */
export const signatureLength = 256
const digestLength = 16
const internalDataLengths: ReadonlySet<number> = new Set([256, 512])
/** The longest payload has 1 083 bytes: some 4 400 characters where each is percent-encoded. Longer texts are refused before they are decoded. */
const longestLink = 8_192
/** JavaScript's last representable instant: anything later is no time. */
const latestMillis = 8_640_000_000_000_000n

const unreadable = (reason: string) => Result.fail(new LinkUnreadable({ reason }))

/** Root and payload bytes of a link. A `+` that lost its percent-encoding in transit is accepted. */
const splitLink = (url: string): { readonly root: string; readonly payload: Uint8Array } | null => {
  const at = url.search(/[?&]vl=/)
  if (at < 0) return null
  const start = at + "?vl=".length
  const value = url.slice(start).split(/[&#]/, 1)[0] ?? ""
  try {
    const payload = bytesFromBase64(decodeURIComponent(value).replaceAll(" ", "+"))
    return payload === null ? null : { root: url.slice(0, start), payload }
  } catch {
    return null // a broken percent sequence: decodeURIComponent has no other way to say so
  }
}

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** Some signers pad the buyer to 20 bytes with leading zeros; the V-PFR writes the bare text (V-PFR §7.1). */
const readBuyerId = (bytes: Uint8Array): string | null => {
  const text = ascii(bytes).replace(/^\0+/, "")
  return text === "" ? null : text
}

/**
 * Reads a verification link offline: every fact that the signer put into it, without checking any.
 *
 * @example
 * const link = decodeVerificationLink("https://suf.purs.gov.rs/v/?vl=A1lK…")
 */
export const decodeVerificationLink = (url: string): Result.Result<VerificationLink, LinkUnreadable> => {
  if (url.length > longestLink) return unreadable(`longer than ${longestLink} characters`)
  const split = splitLink(url.trim())
  if (split === null) return unreadable("no base64 after vl=")
  const { payload, root } = split
  if (payload.length < fixedLength) return unreadable(`only ${payload.length} bytes`)
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  if (view.getUint8(0) !== 3) return unreadable(`version ${view.getUint8(0)}, not 3`)
  const buyerEnd = fixedLength + view.getUint8(43)
  const digestStart = payload.length - digestLength
  const signatureStart = digestStart - signatureLength
  if (!internalDataLengths.has(signatureStart - buyerEnd)) return unreadable(`length ${payload.length} fits no layout`)
  const invoiceType = invoiceTypeOfNumber(view.getUint8(41))
  const transactionType = transactionTypeOfNumber(view.getUint8(42))
  if (invoiceType === null || transactionType === null) return unreadable("unknown invoice or transaction type")
  const requestedBy = ascii(payload.subarray(1, 9))
  const signedBy = ascii(payload.subarray(9, 17))
  if (!isJid(requestedBy) || !isJid(signedBy)) return unreadable("a JID that is no JID")
  const millis = view.getBigUint64(33, false)
  if (millis > latestMillis) return unreadable("a time out of range")
  return Result.succeed({
    root,
    requestedBy,
    signedBy,
    totalCounter: view.getUint32(17, true),
    transactionTypeCounter: view.getUint32(21, true),
    totalAmount: BigDecimal.make(view.getBigUint64(25, true), 4),
    sdcTimeMillis: Number(millis),
    invoiceType,
    transactionType,
    buyerId: readBuyerId(payload.subarray(fixedLength, buyerEnd)),
    encryptedInternalData: payload.subarray(buyerEnd, signatureStart),
    signature: payload.subarray(signatureStart, digestStart),
    digest: payload.subarray(digestStart),
    digested: payload.subarray(0, digestStart)
  })
}

/** Whether the link's last 16 bytes are the MD5 of everything before them: protects against damage, not against forgery (V-PFR §7.1). */
export const verifyLinkDigest = (
  link: Pick<VerificationLink, "digest" | "digested">,
  md5Of: (bytes: Uint8Array) => Uint8Array = md5
): boolean => bytesEqual(md5Of(link.digested), link.digest)
