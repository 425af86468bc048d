import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { BoundKey } from "../operations/Operation.ts"
import { canonicalContent, canonicalRuleVersion } from "./canonicalContent.ts"

const encoder = new TextEncoder()

/** SHA-256 of a text's UTF-8, in hex: the portable one. */
export const portableSha256 = (text: string): string => bytesToHex(sha256(encoder.encode(text)))

/** SHA-256, in hex, of a request's canonical content, with the version of the rules that made it (Decisions §3). */
export const fingerprint = (
  target: string,
  body: unknown,
  sha256Of: (text: string) => string = portableSha256
): BoundKey["fingerprint"] => ({
  version: canonicalRuleVersion,
  digest: sha256Of(canonicalContent(target, body))
})
