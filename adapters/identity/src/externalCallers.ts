import { StoreUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { createRemoteJWKSet, errors, jwtVerify } from "jose"
import { Callers } from "./Callers.ts"
import { refusalOf, verifyingCallers } from "./verifyingCallers.ts"

/** An identity server that issues the tokens instead of us (Keycloak's shape). Source: Decisions §7. */
export interface ExternalIssuer {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: URL
}

/** Asymmetric algorithms only: a public key must never be taken for a shared secret. */
const algorithms = ["RS256", "PS256", "ES256", "EdDSA"]
const keyFetchMillis = 5_000

/**
 * Callers with tokens of an external issuer, verified by its published keys. Keys are fetched when first needed and when a token
 * names an unknown one, at most every 30 s. While they cannot be fetched no token can be judged: that is our trouble, answered as
 * unavailable, not the caller's.
 */
export const externalCallers = (external: ExternalIssuer) =>
  Layer.sync(Callers, () => {
    const keys = createRemoteJWKSet(external.jwksUrl, { timeoutDuration: keyFetchMillis, cooldownDuration: 30_000 })
    return verifyingCallers((token, currentDate) =>
      Effect.tryPromise({
        try: () =>
          jwtVerify(token, keys, {
            algorithms,
            issuer: external.issuer,
            audience: external.audience,
            requiredClaims: ["exp"],
            clockTolerance: 5,
            currentDate
          }),
        catch: (error) => keysUnavailable(error) ?? refusalOf(error) ?? new StoreUnavailable({ committed: "no", cause: error })
      }).pipe(Effect.map(({ payload }) => payload))
    )
  })

const keysUnavailable = (error: unknown): StoreUnavailable | null =>
  error instanceof errors.JWKSTimeout || (error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC") ||
    (error instanceof TypeError && error.message === "fetch failed")
    ? new StoreUnavailable({ committed: "no", cause: error })
    : null
