import type { Caller, StoreUnavailable } from "@overa/domain"
import { Clock, Effect, Option } from "effect"
import { errors, type JWTPayload } from "jose"
import { Callers, TokenRefused } from "./Callers.ts"
import { callerOfClaims } from "./TokenClaims.ts"
import { makeVerifiedTokens } from "./verifiedTokens.ts"

/** Longer than any token of an issuer we know; nothing this size is worth hashing. */
const longestToken = 8_192

/** Verifies a signature and the registered claims as of an instant; fails with jose's own errors. */
export type VerifySignature = (
  token: string,
  currentDate: Date
) => Effect.Effect<JWTPayload, TokenRefused | StoreUnavailable>

/** The `Callers` over one way of verifying signatures, with its memory of verified tokens. */
export const verifyingCallers = (verify: VerifySignature): Callers["Service"] => {
  const verified = makeVerifiedTokens()

  const verifyAnew = Effect.fnUntraced(function*(token: string, now: number) {
    const claims = yield* verify(token, new Date(now))
    const found = callerOfClaims(claims)
    if (Option.isNone(found)) return yield* new TokenRefused({ reason: "a claim is missing or malformed" })
    verified.remember(token, found.value.caller, found.value.expiresAt)
    return found.value.caller
  })

  return Callers.of({
    authenticate: (token): Effect.Effect<Caller, TokenRefused | StoreUnavailable> => {
      if (token.length > longestToken) return new TokenRefused({ reason: "longer than any token" })
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const caller = verified.find(token, now)
        return caller === undefined ? verifyAnew(token, now) : Effect.succeed(caller)
      })
    }
  })
}

/** jose's refusal of a token as ours; anything else is a fault of this program or of the key source. */
export const refusalOf = (error: unknown): TokenRefused | null =>
  error instanceof errors.JOSEError || error instanceof TypeError
    ? new TokenRefused({ reason: error instanceof errors.JOSEError ? error.code : "no token" })
    : null
