import { Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/**
 * The keyed digest under which a credential's secret is stored: hex of HMAC-SHA-256. A copy of the table without the key proves
 * nothing about any secret (Decisions §7).
 */
export const secretDigest = (key: Redacted.Redacted<Uint8Array>, secret: string): string =>
  createHmac("sha256", Redacted.value(key)).update(secret, "utf8").digest("hex")

/** Compares two digests in time that does not depend on where they differ. */
export const sameDigest = (one: string, other: string): boolean => {
  const a = Buffer.from(one, "hex")
  const b = Buffer.from(other, "hex")
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b)
}
