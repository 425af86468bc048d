import { md5 } from "@noble/hashes/legacy.js"
import { bytesEqual } from "./bytesEqual.ts"
import type { VerificationLink } from "./VerificationLink.ts"

/** Whether the link's last 16 bytes are the MD5 of everything before them: protects against damage, not against forgery (V-PFR §7.1). */
export const verifyLinkDigest = (
  link: Pick<VerificationLink, "digest" | "digested">,
  md5Of: (bytes: Uint8Array) => Uint8Array = md5
): boolean => bytesEqual(md5Of(link.digested), link.digest)
