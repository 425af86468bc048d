import { createHash, randomBytes } from "node:crypto"
import { counterExtension, invoiceTypeNumber, invoiceTypeOfNumber, transactionTypeNumber, transactionTypeOfNumber } from "@overa/domain"

interface Submitted {
  readonly invoiceType: number
  readonly transactionType: number
  readonly buyerId?: string
  readonly items: ReadonlyArray<{ readonly totalAmount: number }>
}

const signedBy = "W6UBPZO0"

/**
 * The signed answers to a submitted body by counter, well-formed in everything but the signature, whose key nobody has. Written from V-PFR §3 and
 * §7.1 alone, so that it shares no mistake with the code under test.
 */
export const signedAnswersTo = (requestBody: string, jid: string): (counter: number) => Record<string, unknown> => {
  const submitted = JSON.parse(requestBody) as Submitted
  const invoiceType = invoiceTypeOfNumber(submitted.invoiceType) ?? "NORMAL"
  const transactionType = transactionTypeOfNumber(submitted.transactionType) ?? "SALE"
  const extension = counterExtension({ invoiceType, transactionType })
  const total = submitted.items.reduce((sum, item) => sum + Math.round(item.totalAmount * 100), 0)
  const buyer = Buffer.from(submitted.buyerId ?? "")
  const internal = randomBytes(256)
  const signature = randomBytes(256)
  return (counter) => {
    const millis = Date.now()
    const fixed = Buffer.alloc(44)
    fixed.writeUInt8(3, 0)
    fixed.write(jid + signedBy, 1, "ascii")
    fixed.writeUInt32LE(counter, 17)
    fixed.writeUInt32LE(counter, 21)
    fixed.writeBigUInt64LE(BigInt(total) * 100n, 25)
    fixed.writeBigUInt64BE(BigInt(millis), 33)
    fixed.writeUInt8(invoiceTypeNumber[invoiceType], 41)
    fixed.writeUInt8(transactionTypeNumber[transactionType], 42)
    fixed.writeUInt8(buyer.length, 43)
    const digested = Buffer.concat([fixed, buyer, internal, signature])
    const link = Buffer.concat([digested, createHash("md5").update(digested).digest()]).toString("base64")
    const invoiceNumber = `${jid}-${signedBy}-${counter}`
    return {
      requestedBy: jid,
      signedBy,
      sdcDateTime: new Date(millis).toISOString().replace("Z", "+00:00"),
      invoiceCounter: `${counter}/${counter}${extension}`,
      invoiceCounterExtension: extension,
      invoiceNumber,
      taxItems: [],
      verificationUrl: `https://pfr.test/v/?vl=${encodeURIComponent(link)}`,
      journal: `ФИСКАЛНИ РАЧУН\r\n${invoiceNumber}\r\n`,
      encryptedInternalData: internal.toString("base64"),
      signature: signature.toString("base64"),
      totalCounter: counter,
      transactionTypeCounter: counter,
      totalAmount: total / 100
    }
  }
}

/** The answer to one submitted body. */
export const signedAnswer = (requestBody: string, jid: string, counter: number): Record<string, unknown> =>
  signedAnswersTo(requestBody, jid)(counter)
