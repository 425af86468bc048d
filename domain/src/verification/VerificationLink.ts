import { type BigDecimal, Schema } from "effect"
import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { TransactionType } from "../documents/TransactionType.ts"

/** Text that is no verification link of the known layout (V-PFR §7.1). */
export class LinkUnreadable extends Schema.TaggedError<LinkUnreadable>()("LinkUnreadable", {
  reason: Schema.String
}) {}

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
