import type { Caller, StoreUnavailable } from "@overa/domain"
import type { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { hash } from "node:crypto"

/** Most cached tokens; beyond that the least recently used one is verified again. */
const capacity = 20_000

/** A token that was verified. */
export interface VerifiedToken {
  readonly caller: Caller
  /** Milliseconds since 1970: when it must be verified again. */
  readonly until: number
  /** Whether the key that signed it still verifies; checked from time to time. */
  readonly stillBelieved: Effect.Effect<boolean, StoreUnavailable>
  /** When that was last checked, milliseconds since 1970. */
  askedAt: number
}

/**
 * Verified tokens by their SHA-256, until they expire: verifying a signature takes a hundred microseconds, a look-up less than one. Only the digest
 * is kept. A credential revoked meanwhile loses its access when its last token ends, at most 300 s later (Spec, Authentication 5).
 */
export const makeVerifiedTokens = () => {
  const entries = new LRUCache<string, VerifiedToken>({ max: capacity })
  return {
    find: (token: string, nowMillis: number): VerifiedToken | undefined => {
      const digest = digestOf(token)
      const entry = entries.get(digest)
      if (entry === undefined) return undefined
      if (entry.until > nowMillis) return entry
      entries.delete(digest)
      return undefined
    },
    remember: (token: string, verified: VerifiedToken): void => void entries.set(digestOf(token), verified),
    forget: (token: string): void => void entries.delete(digestOf(token))
  }
}

const digestOf = (token: string): string => hash("sha256", token, "base64")
