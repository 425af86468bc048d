import { timingSafeEqual } from "node:crypto"

/** Compares two digests in time that does not depend on where they differ. */
export const sameDigest = (one: string, other: string): boolean => {
  const a = Buffer.from(one, "hex")
  const b = Buffer.from(other, "hex")
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b)
}
