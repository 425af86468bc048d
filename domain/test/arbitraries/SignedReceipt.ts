import { BigDecimal } from "effect"
import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { invoiceTypeNumber, transactionTypeNumber } from "../../src/verification/pfrCodes.ts"
import type { VerificationLink } from "../../src/verification/VerificationLink.ts"
import { signedMessage } from "../../src/verification/verifySignature.ts"

/** The facts of a receipt that a link states. */
export type LinkFacts = Omit<VerificationLink, "digest" | "digested" | "signature">

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

/** The public modulus of the key that signs here; new in each process. */
export const testSignerModulus = BigInt(`0x${Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url").toString("hex")}`)

/** The bytes of a link before its signature (V-PFR §7.1). */
const unsignedBytes = (link: LinkFacts): Buffer => {
  const buyer = Buffer.from(link.buyerId ?? "", "latin1")
  const fixed = Buffer.alloc(44)
  fixed.writeUInt8(3, 0)
  fixed.write(link.requestedBy + link.signedBy, 1, "latin1")
  fixed.writeUInt32LE(link.totalCounter, 17)
  fixed.writeUInt32LE(link.transactionTypeCounter, 21)
  fixed.writeBigUInt64LE(BigDecimal.scale(link.totalAmount, 4).value, 25)
  fixed.writeBigUInt64BE(BigInt(link.sdcTimeMillis), 33)
  fixed.set([invoiceTypeNumber[link.invoiceType], transactionTypeNumber[link.transactionType], buyer.length], 41)
  return Buffer.concat([fixed, buyer, link.encryptedInternalData])
}

/** A verification link with these facts, signed with the key of this process for a seller's TIN, as a V-PFR signs it (V-PFR §7.1, §7.4). */
export const signedLink = (link: LinkFacts, tin: string): string => {
  const message = signedMessage(link, { tin, buyerId: link.buyerId })
  if (message === null) throw new Error("a fact does not fit into the signed message")
  const signed = Buffer.concat([unsignedBytes(link), sign("RSA-SHA1", message, privateKey)])
  const payload = Buffer.concat([signed, createHash("md5").update(signed).digest()])
  return link.root + encodeURIComponent(payload.toString("base64"))
}
