import type { Caller, StoreUnavailable } from "@overa/domain"
import { Clock, Effect, Option } from "effect"
import { errors, type JWTPayload } from "jose"
import { Callers, TokenRefused } from "./Callers.ts"
import { callerOfClaims } from "./TokenClaims.ts"
import { makeVerifiedTokens, type VerifiedToken } from "./verifiedTokens.ts"

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
  /** Whether the claimed caller is known here; checked when a token is seen for the first time. */
  readonly confirm: (caller: Caller) => Effect.Effect<void, TokenRefused | StoreUnavailable>
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
    const { caller, expiresAt } = found.value
    yield* confirm(caller)
    const until = Math.min(expiresAt * 1_000, now + longestMemoryMillis)
    verified.remember(token, { caller, until, stillBelieved, askedAt: now })
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
        return now - known.askedAt < believedMillis ? Effect.succeed(known.caller) : believedAgain(token, known, now)
      })
    }
  })
}

/** jose's refusal as a refusal of this adapter; anything else is a fault of this program or of the key source. */
export const refusalOf = (error: unknown): TokenRefused | null =>
  error instanceof errors.JOSEError || error instanceof TypeError
    ? new TokenRefused({ reason: error instanceof errors.JOSEError ? error.code : "no token" })
    : null
