import { Result } from "effect"
import { decodeVerificationLink } from "./decodeVerificationLink.ts"
import { invoiceNumberOf, type LinkUnreadable, type VerificationLink } from "./VerificationLink.ts"
import { verifyLinkDigest } from "./verifyLinkDigest.ts"
import { verifySignature } from "./verifySignature.ts"

/** What the checker knows besides the link. Everything is optional; less knowledge proves less. */
export interface ReceiptCheckOptions {
  /** The seller's TIN as signed (`RS111911206` in the sandbox, nine digits in production). */
  readonly tin?: string
  /** The signer's public RSA modulus. */
  readonly signerModulus?: bigint
  /** The tax authority's verification address up to and including `vl=`. */
  readonly verificationRoot?: string
}

/** What a verification link proves by itself. */
export interface ReceiptCheck {
  readonly link: VerificationLink
  readonly invoiceNumber: string
  /** The link was not damaged on its way. Anybody can compute it: no proof of origin. */
  readonly undamaged: boolean
  /** Null where TIN or signer key were not given. */
  readonly signatureValid: boolean | null
  /** The link leads to the address it should. Null where the address was not given. */
  readonly leadsToAuthority: boolean | null
}

/**
 * Checks a receipt offline from its QR code's text, with no network and no account: for buyers, accountants and auditors.
 *
 * @example
 * const check = checkReceipt(scannedText, { tin: "110976122", signerModulus })
 */
export const checkReceipt = (
  url: string,
  options: ReceiptCheckOptions = {}
): Result.Result<ReceiptCheck, LinkUnreadable> =>
  Result.map(decodeVerificationLink(url), (link) => ({
    link,
    invoiceNumber: invoiceNumberOf(link),
    undamaged: verifyLinkDigest(link),
    signatureValid: options.tin === undefined || options.signerModulus === undefined
      ? null
      : verifySignature(link, { tin: options.tin, buyerId: link.buyerId, modulus: options.signerModulus }),
    leadsToAuthority: options.verificationRoot === undefined ? null : link.root === options.verificationRoot
  }))
