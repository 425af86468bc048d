import { formatDecimal, type InvoiceToSign, totalAmount } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { writeLink } from "../../src/support/writeLink.ts"

const verificationRoot = "https://verification.invalid/v/?vl="
const signedBy = "SIMULAO0"
/** As long as a signature, and as the signer's own data; the worlds know no signer's key. */
const [signature, internalData] = [Buffer.alloc(256, "signed"), Buffer.alloc(256, "internal")]

/** The counters of an element at the signer. */
export const seriesOf = (jid: string): string => `${jid}-${signedBy}`

/** The receipt of a counter. */
export const numberOf = (jid: string, counter: number): string => `${seriesOf(jid)}-${counter}`

const belgradeTime = (millis: number): string => DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(millis, { timeZone: "Europe/Belgrade" }))

interface Signing {
  readonly counter: number
  /** The letters behind the counter. */
  readonly mark: string
  readonly taxItems: ReadonlyArray<unknown>
  /** PFR time, milliseconds since 1970. */
  readonly millis: number
}

/** The answer of the simulated V-PFR to what it signed, with a link of the real layout. */
export const signedText = ({ content: { buyer, invoiceType, items, transactionType }, jid }: InvoiceToSign, { counter, mark, millis, taxItems }: Signing): string => {
  const invoiceNumber = numberOf(jid, counter)
  const total = totalAmount(items)
  return JSON.stringify({
    requestedBy: jid,
    signedBy,
    sdcDateTime: belgradeTime(millis),
    invoiceCounter: `${counter}/${counter}${mark}`,
    invoiceCounterExtension: mark,
    invoiceNumber,
    taxItems,
    verificationUrl: writeLink(verificationRoot, {
      requestedBy: jid, signedBy, counter, total: BigDecimal.scale(total, 4).value, time: millis, invoiceType, transactionType, buyerId: buyer?.id ?? "", internalData, signature
    }),
    journal: `journal of ${invoiceNumber}`,
    signature: signature.toString("base64"),
    encryptedInternalData: internalData.toString("base64"),
    totalCounter: counter,
    transactionTypeCounter: counter
  }).replace(/\}$/, `,"totalAmount":${formatDecimal(total)}}`)
}
