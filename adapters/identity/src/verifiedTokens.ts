import type { Caller } from "@overa/domain"
import { hash } from "node:crypto"
import { BoundedCache } from "./BoundedCache.ts"

/** Tokens remembered at most; beyond it the least recently used is verified anew. */
const capacity = 20_000

/**
 * Verified tokens by their SHA-256, until they expire: a signature costs a hundred microseconds, a look-up less than one. Only the
 * digest is kept. A credential revoked meanwhile loses its access when its last token ends, at most 300 s later (Spec,
 * Authentication 5).
 */
export const makeVerifiedTokens = () => {
  const entries = new BoundedCache<string, { readonly caller: Caller; readonly expiresAt: number }>(capacity)
  return {
    find: (token: string, nowMillis: number): Caller | undefined => {
      const digest = digestOf(token)
      const entry = entries.get(digest)
      if (entry === undefined) return undefined
      if (entry.expiresAt * 1_000 > nowMillis) return entry.caller
      entries.delete(digest)
      return undefined
    },
    remember: (token: string, caller: Caller, expiresAt: number): void =>
      entries.set(digestOf(token), { caller, expiresAt })
  }
}

const digestOf = (token: string): string => hash("sha256", token, "base64")
