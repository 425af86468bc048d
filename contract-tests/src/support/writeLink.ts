import { type InvoiceType, invoiceTypeNumber, type TransactionType, transactionTypeNumber } from "@overa/domain"
import { createHash } from "node:crypto"

/** A number as bytes. */
export const numberBytes = (value: bigint, length: number, order: "LITTLE" | "BIG"): Buffer => {
  const big = Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex")
  return order === "BIG" ? big : big.reverse()
}

/** The numbers of an invoice's and a transaction's type. */
export const kindBytes = ({ invoiceType, transactionType }: Pick<LinkFacts, "invoiceType" | "transactionType">): Buffer =>
  Buffer.from([invoiceTypeNumber[invoiceType], transactionTypeNumber[transactionType]])

/** What a link says of a receipt. */
export interface LinkFacts {
  readonly requestedBy: string
  readonly signedBy: string
  /** The total counter, and that of its kind. */
  readonly counter: number
  /** Ten-thousandths of a dinar. */
  readonly total: bigint
  /** PFR time, milliseconds since 1970. */
  readonly time: number
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** Empty for a receipt without a buyer. */
  readonly buyerId: string
  readonly internalData: Uint8Array
  readonly signature: Uint8Array
}

/** A verification link as V-PFR §7.1 lays it out. */
export const writeLink = (root: string, link: LinkFacts): string => {
  const counter = numberBytes(BigInt(link.counter), 4, "LITTLE")
  const content = Buffer.concat([
    Buffer.from([3]), Buffer.from(link.requestedBy + link.signedBy, "latin1"), counter, counter, numberBytes(link.total, 8, "LITTLE"), numberBytes(BigInt(link.time), 8, "BIG"),
    kindBytes(link), Buffer.from([link.buyerId.length]), Buffer.from(link.buyerId, "latin1"), link.internalData, link.signature
  ])
  return root + encodeURIComponent(Buffer.concat([content, createHash("md5").update(content).digest()]).toString("base64"))
}
