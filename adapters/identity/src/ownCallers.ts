import { type Caller, Credentials } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { Callers, TokenRefused } from "./Callers.ts"
import { type IdentitySettings, tokenLifetimeSeconds } from "./IdentitySettings.ts"
import { livesTooLong } from "./livesTooLong.ts"
import { makeTokenKeyRing, tokenAlgorithm } from "./TokenKeyRing.ts"
import { refusalOf, verifyingCallers } from "./verifyingCallers.ts"

/**
 * Callers with tokens of our own issuer. There is one signature algorithm, and keys are looked up by id in our own ring: what the token says about
 * algorithm or key source is ignored. Its lifetime is at most that of the endpoint's tokens, and its credential exists and is active.
 */
export const ownCallers = (settings: Pick<IdentitySettings, "issuer" | "audience">) =>
  Layer.effect(
    Callers,
    Effect.gen(function*() {
      const credentials = yield* Credentials
      const ring = yield* makeTokenKeyRing
      const verify = Effect.fnUntraced(function*(token: string, currentDate: Date) {
        const kid = keyIdOf(token)
        const key = kid === null ? null : yield* ring.verifying(kid)
        if (kid === null || key === null) return yield* new TokenRefused({ reason: "signed with an unknown key" })
        const { payload } = yield* Effect.tryPromise({
          try: () =>
            jwtVerify(token, key, {
              algorithms: [tokenAlgorithm],
              issuer: settings.issuer,
              audience: settings.audience,
              requiredClaims: ["exp", "iat", "sub"],
              currentDate
            }),
          catch: (error) => refusalOf(error) ?? new TokenRefused({ reason: String(error) })
        })
        if (livesTooLong(payload, currentDate, tokenLifetimeSeconds)) return yield* new TokenRefused({ reason: "its lifetime is longer than that of our tokens" })
        return { payload, stillBelieved: Effect.map(ring.verifying(kid), (found) => found !== null) }
      })
      const confirm = Effect.fnUntraced(function*(caller: Caller) {
        const credential = Option.getOrNull(yield* credentials.find(caller.clientId))
        // A token without an environment has fewer rights than one with an environment.
        const isElsewhere = credential?.organizationId !== caller.organizationId ||
          (caller.environment !== null && credential.environment !== caller.environment)
        if (credential === null || credential.revoked || isElsewhere) {
          return yield* new TokenRefused({ reason: "its credential does not exist, is revoked, or is another one" })
        }
        return credential.premises === null ? caller : { ...caller, premises: new Set(credential.premises) }
      })
      return verifyingCallers({ verify, confirm, longestMemoryMillis: tokenLifetimeSeconds * 1_000 })
    })
  )

const keyIdOf = (token: string): string | null => {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}
