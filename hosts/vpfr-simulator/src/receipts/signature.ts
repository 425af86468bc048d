import { sign, verify, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import { invoiceTypes, transactionTypes } from "../protocol/InvoiceRequest.ts"
import { asciiBytes, type SignedFacts } from "./verificationLink.ts"

const leftPadded = (text: string): Buffer => {
  const bytes = asciiBytes(text).subarray(0, 20)
  return Buffer.concat([Buffer.alloc(20 - bytes.length), bytes])
}

const bigEndian = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex")

/** The secure element's answer up to the signature, which is exactly what is signed (V-PFR §7.4). */
export const signedMessage = (tin: string, facts: SignedFacts): Buffer =>
  Buffer.concat([
    bigEndian(BigInt(facts.time), 8),
    leftPadded(tin),
    leftPadded(facts.buyerId),
    Buffer.from([invoiceTypes.indexOf(facts.invoiceType), transactionTypes.indexOf(facts.transactionType)]),
    bigEndian(facts.totalAmount, 7),
    bigEndian(BigInt(facts.transactionTypeCounter), 4),
    bigEndian(BigInt(facts.totalCounter), 4),
    facts.encryptedInternalData
  ])

const signOnThreadPool = promisify(
  (message: Buffer, key: KeyObject, done: (cause: Error | null, signature: Buffer) => void) =>
    sign("sha1", message, key, done)
)

/** RSA-2048, PKCS#1 v1.5 with SHA-1 (V-PFR §7.4), computed off the event loop. */
export const signFacts = (tin: string, facts: SignedFacts, key: KeyObject): Promise<Buffer> =>
  signOnThreadPool(signedMessage(tin, facts), key)

export const signatureVerifies = (tin: string, facts: SignedFacts, signature: Uint8Array, key: KeyObject): boolean =>
  verify("sha1", signedMessage(tin, facts), key, signature)
