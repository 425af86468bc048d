import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { BoundKey } from "../operations/Operation.ts"
import { canonicalContent, canonicalRuleVersion } from "./canonicalContent.ts"

/** SHA-256, in hex, of a request's canonical content, with the version of the rules that made it (Decisions §3). */
export const fingerprint = (target: string, body: unknown): BoundKey["fingerprint"] => ({
  version: canonicalRuleVersion,
  digest: bytesToHex(sha256(utf8ToBytes(canonicalContent(target, body))))
})
