import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * The keyed digest under which a credential's secret is stored: hex of HMAC-SHA-256 under a key of 32 bytes. A copy of the table without
 * the key proves nothing about any secret (Decisions §7).
 */
export const secretDigest = (key: Uint8Array, secret: string): string => bytesToHex(hmac(sha256, key, utf8ToBytes(secret)))

/** What a key of digests is called where digests are stored, 16 hex digits; it tells nothing of the key. */
export const credentialKeyId = (key: Uint8Array): string => secretDigest(key, "credential key id").slice(0, 16)
