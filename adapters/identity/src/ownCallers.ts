import { Effect, Layer } from "effect"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { Callers, TokenRefused } from "./Callers.ts"
import type { IdentitySettings } from "./IdentitySettings.ts"
import { makeTokenKeyRing, tokenAlgorithm } from "./TokenKeyRing.ts"
import { refusalOf, verifyingCallers } from "./verifyingCallers.ts"

/** Callers with tokens of our own issuer. One signature algorithm, keys by id from our own ring: nothing a token says about itself is followed. */
export const ownCallers = (settings: Pick<IdentitySettings, "issuer" | "audience">) =>
  Layer.effect(
    Callers,
    Effect.gen(function*() {
      const ring = yield* makeTokenKeyRing
      return verifyingCallers(Effect.fnUntraced(function*(token, currentDate) {
        const kid = keyIdOf(token)
        const key = kid === null ? null : yield* ring.verifying(kid)
        if (key === null) return yield* new TokenRefused({ reason: "signed with no key of ours" })
        const { payload } = yield* Effect.tryPromise({
          try: () =>
            jwtVerify(token, key, {
              algorithms: [tokenAlgorithm],
              issuer: settings.issuer,
              audience: settings.audience,
              requiredClaims: ["exp", "sub"],
              currentDate
            }),
          catch: (error) => refusalOf(error) ?? new TokenRefused({ reason: String(error) })
        })
        return payload
      }))
    })
  )

const keyIdOf = (token: string): string | null => {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}
