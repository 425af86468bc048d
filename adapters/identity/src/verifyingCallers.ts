import type { Caller, StoreUnavailable } from "@overa/domain"
import { Clock, Effect, Option } from "effect"
import { errors, type JWTPayload } from "jose"
import { LRUCache } from "lru-cache"
import { hash } from "node:crypto"
import { besideRequests, type BesideRequests, renewedAfterMillis } from "./besideRequests.ts"
import { Callers, TokenRefused } from "./Callers.ts"
import { callerOfClaims } from "./TokenClaims.ts"

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
  /** The next check. */
  readonly check: BesideRequests
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

/** Longer than any token of a known issuer; a longer text is refused without hashing it. */
const longestToken = 8_192
/** How long a cached token is accepted before its key is checked again. */
const believedMillis = 2_000

/** One way of verifying tokens. */
export interface Verification {
  /** Verifies a signature and the registered claims as of an instant; fails with jose's own errors. */
  readonly verify: (token: string, currentDate: Date) => Effect.Effect<
    { readonly payload: JWTPayload; readonly stillBelieved: VerifiedToken["stillBelieved"] },
    TokenRefused | StoreUnavailable
  >
  /** The claimed caller as it is known here; asked when a token is seen for the first time. */
  readonly confirm: (claimed: Caller) => Effect.Effect<Caller, TokenRefused | StoreUnavailable>
  /** How long a verified token is cached at most. */
  readonly longestMemoryMillis: number
}

/** The `Callers` over one way of verifying tokens, with a cache of verified ones. */
export const verifyingCallers = ({ confirm, longestMemoryMillis, verify }: Verification): Callers["Service"] => {
  const verified = makeVerifiedTokens()

  const verifyAnew = Effect.fnUntraced(function*(token: string, now: number) {
    const { payload, stillBelieved } = yield* verify(token, new Date(now))
    const found = callerOfClaims(payload)
    if (Option.isNone(found)) return yield* new TokenRefused({ reason: "a claim is missing or malformed" })
    const { caller: claimed, expiresAt } = found.value
    const caller = yield* confirm(claimed)
    const until = Math.min(expiresAt * 1_000, now + longestMemoryMillis)
    verified.remember(token, { caller, until, stillBelieved, askedAt: now, check: besideRequests() })
    return caller
  })

  // While the store is unavailable, a token that was accepted a moment ago is still accepted: the request itself fails where it needs the store.
  const believedAgain = Effect.fnUntraced(function*(token: string, known: VerifiedToken, now: number) {
    if (yield* Effect.catchTag(known.stillBelieved, "StoreUnavailable", () => Effect.succeed(true))) {
      known.askedAt = now
      return known.caller
    }
    verified.forget(token)
    return yield* new TokenRefused({ reason: "its key was revoked or is retired" })
  })

  return Callers.of({
    authenticate: (token): Effect.Effect<Caller, TokenRefused | StoreUnavailable> => {
      if (token.length > longestToken) return new TokenRefused({ reason: "longer than any token" })
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = verified.find(token, now)
        if (known === undefined) return verifyAnew(token, now)
        const age = now - known.askedAt
        if (age >= believedMillis) return believedAgain(token, known, now)
        return age < renewedAfterMillis ? Effect.succeed(known.caller) : Effect.as(known.check.begin(believedAgain(token, known, now)), known.caller)
      })
    }
  })
}

/** jose's refusal as a refusal of this adapter; anything else is a fault of this program or of the key source. */
export const refusalOf = (error: unknown): TokenRefused | null =>
  error instanceof errors.JOSEError || error instanceof TypeError
    ? new TokenRefused({ reason: error instanceof errors.JOSEError ? error.code : "no token" })
    : null
