import type { Environment } from "../tenancy/Environment.ts"

/**
 * The identifier of a security element or of a signer (JID, UID): eight letters and digits of ASCII, compared letter for letter. The authority's sandbox
 * signs as `Dt1Ov1o0`, so lower-case letters are as good as capitals. Source: V-PFR §3, §9; published receipts of 2021 to 2026.
 */
export const jidForm = /^[0-9A-Za-z]{8}$/

export const isJid = (text: string): boolean => jidForm.test(text)

/** The number of a receipt: requester, signer, and the signer's counter for the requester. */
export const pfrNumberForm = /^([0-9A-Za-z]{8})-([0-9A-Za-z]{8})-([0-9]+)$/

/** `JID-JID-counter`, also used for paper receipts from before fiscalization; or `JID-IBFM-BI` of an old cash register (V-PFR §2). */
export const externalReferenceNumber = /^[0-9A-Za-z]{8}-[0-9A-Za-z]{1,24}-[0-9]{1,20}$/

const beginning = /^[0-9a-z]{1,8}(?:-[0-9a-z]{0,8}(?:-\d*)?)?$/i

/**
 * What a typed text may be the beginning of, as numbers are stored: the text itself, and the text in capitals, whole or in its first part alone. Empty where no
 * number begins so. Capitals are tried because people type small letters, and almost every identifier is in capitals.
 */
export const beginningsOfNumber = (text: string): ReadonlyArray<string> => {
  if (!beginning.test(text)) return []
  const [requester = "", ...rest] = text.split("-")
  return [...new Set([text, text.toUpperCase(), [requester.toUpperCase(), ...rest].join("-")])]
}

/**
 * A seller's TIN as the V-PFR signs it: in the sandbox `RS` stands before the nine digits (V-PFR §7.4).
 *
 * @param tin With or without `RS`, as the element's certificate has it.
 * @example signedTin("111911206", "sandbox") // "RS111911206"
 */
export const signedTin = (tin: string, environment: Environment): string => environment === "sandbox" && !tin.startsWith("RS") ? `RS${tin}` : tin
