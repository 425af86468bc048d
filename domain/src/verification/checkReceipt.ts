import { type DateTime, Result } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import { decodeVerificationLink, invoiceNumberOf, type LinkUnreadable, type VerificationLink, verifyLinkDigest } from "./VerificationLink.ts"
import { verifySignature } from "./verifySignature.ts"

/** A certificate of reference: a root that elements may come from, or a signer of receipts. */
export interface ReferenceKey {
  readonly environment: Environment
  readonly kind: "TRUST_ROOT" | "SIGNER"
  /** The root's fingerprint, or the signer's JID. */
  readonly name: string
  /** PEM: a certificate, or for a signer also a bare public key. */
  readonly pem: string
  readonly addedAt: DateTime.Utc
}

/** A signer's public key. The name is chosen by the owner of the list; the signature is checked with the key alone. */
export interface SignerKey {
  readonly name: string
  /** RSA-2048 modulus. */
  readonly modulus: bigint
}

/** What the checker knows besides the link. Everything is optional; with less knowledge less is proven. */
export interface ReceiptCheckOptions {
  /** The seller's TIN as signed (`RS111911206` in the sandbox, nine digits in production). */
  readonly tin?: string
  /** Public keys of signers. Each is tried, whatever name the link gives its signer: that name is not signed. */
  readonly signers?: ReadonlyArray<SignerKey>
  /** The tax authority's verification address up to and including `vl=`. */
  readonly verificationRoot?: string
}

/** A fact that a verification link states. */
export type LinkFact = keyof typeof coverage

/** Which facts of a link are part of the signed message (V-PFR §7.4). The seller's TIN is signed too, but is in no link. */
const coverage = {
  sdcTime: true,
  totalAmount: true,
  invoiceType: true,
  transactionType: true,
  buyerId: true,
  totalCounter: true,
  transactionTypeCounter: true,
  requestedBy: false,
  signedBy: false
} as const

/** Every fact of a link, the signed ones first. */
export const linkFacts = Object.keys(coverage) as ReadonlyArray<LinkFact>

/**
 * How far a fact can be relied on:
 *
 * - `PROVEN`: it is signed, and the signature verifies under a key that was given.
 * - `CLAIMED`: it is signed, and the signature was not checked, or verifies under none of the given keys.
 * - `NOT_COVERED`: it is not signed. Anybody can change it, compute the link's digest anew, and every other check still succeeds.
 */
export type Standing = "PROVEN" | "CLAIMED" | "NOT_COVERED"

/** What a verification link proves by itself. */
export interface ReceiptCheck {
  readonly link: VerificationLink
  /** `requestedBy-signedBy-totalCounter`, of which only the counter is signed. */
  readonly invoiceNumber: string
  /** The link was not damaged in transit. Anybody can compute it: no proof of origin. */
  readonly undamaged: boolean
  /** Whether the signature verifies under one of the given keys. Null where TIN or keys were not given. */
  readonly signatureValid: boolean | null
  /** The key under which it verifies; null where there is none. */
  readonly signer: SignerKey | null
  readonly standing: Readonly<Record<LinkFact, Standing>>
  /** The link leads to the tax authority's address. Null where the address was not given. */
  readonly leadsToAuthority: boolean | null
}

const standings = (signer: SignerKey | null): ReceiptCheck["standing"] => {
  const signed: Standing = signer === null ? "CLAIMED" : "PROVEN"
  return Object.fromEntries(linkFacts.map((fact) => [fact, coverage[fact] ? signed : "NOT_COVERED"])) as ReceiptCheck["standing"]
}

/** The same for a link that was already read. */
export const checkLink = (link: VerificationLink, { signers = [], tin, verificationRoot }: ReceiptCheckOptions = {}): ReceiptCheck => {
  const signer = tin === undefined ? undefined : signers.find(({ modulus }) => verifySignature(link, { tin, buyerId: link.buyerId, modulus }))
  return {
    link,
    invoiceNumber: invoiceNumberOf(link),
    undamaged: verifyLinkDigest(link),
    signatureValid: tin === undefined || signers.length === 0 ? null : signer !== undefined,
    signer: signer ?? null,
    standing: standings(signer ?? null),
    leadsToAuthority: verificationRoot === undefined ? null : link.root === verificationRoot
  }
}

/**
 * Checks a receipt offline from its QR code's text, with no network and no account: for buyers, accountants and auditors.
 *
 * The signature covers neither `requestedBy` nor `signedBy` (V-PFR §7.4), so `standing` marks both as not covered: only the key identifies the
 * signer.
 *
 * @example
 * const check = checkReceipt(scannedText, { tin: "110976122", signers: [{ name: "DBV8GPO0", modulus }] })
 */
export const checkReceipt = (url: string, options: ReceiptCheckOptions = {}): Result.Result<ReceiptCheck, LinkUnreadable> =>
  Result.map(decodeVerificationLink(url), (link) => checkLink(link, options))
