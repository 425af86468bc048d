import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * The keyed digest under which a credential's secret is stored: hex of HMAC-SHA-256 under a key of 32 bytes. Without the key, a copy of the table
 * reveals nothing about any secret (Decisions §7).
 */
export const secretDigest = (key: Uint8Array, secret: string): string => bytesToHex(hmac(sha256, key, utf8ToBytes(secret)))

/** The id of a digest key, stored beside the digests: 16 hex digits that reveal nothing about the key. */
export const credentialKeyId = (key: Uint8Array): string => secretDigest(key, "credential key id").slice(0, 16)
