import { type Caller, managementScope, StoreUnavailable } from "@overa/domain"
import { Effect, Layer, Schema } from "effect"
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose"
import { boundedAnswer } from "./boundedAnswer.ts"
import { Callers, TokenRefused } from "./Callers.ts"
import { livesTooLong } from "./livesTooLong.ts"
import { refusalOf, verifyingCallers } from "./verifyingCallers.ts"

/** An identity server that issues the tokens instead of us (Keycloak's shape). Source: Decisions §7. */
export interface ExternalIssuer {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: URL
}

/** Asymmetric algorithms only: a public key must never be used as a shared secret. */
const algorithms = ["RS256", "PS256", "ES256", "EdDSA"]
const keyFetchMillis = 5_000
/** A key that left the set is accepted for this long, and the tokens it signed for another minute: together at most 300 s. */
const keySetMillis = 240_000
const rememberedMillis = 60_000
/** The longest lifetime of a token of another issuer; there is no other way to end one. */
const longestLifeSeconds = 3_600

/** The issuer's keys could not be read. This says nothing about any token. */
class KeySetUnreadable extends Schema.TaggedError<KeySetUnreadable>()("KeySetUnreadable", { cause: Schema.Defect() }) {}

/** The library's own fetch reads answers of any size. Every failure here is the issuer's, also a connection lost in the middle of an answer. */
const boundedFetch: typeof fetch = (address, options) =>
  fetch(address, { ...options, redirect: "error" }).then(boundedAnswer).catch((cause: unknown) => {
    throw new KeySetUnreadable({ cause })
  })

/** Credentials of this service get no token where another issuer issues them: nothing is left to manage. */
const withoutManagement = (claimed: Caller): Effect.Effect<Caller> =>
  Effect.succeed({ ...claimed, scopes: new Set([...claimed.scopes].filter((scope) => scope !== managementScope)) })

/**
 * Callers with tokens of an external issuer, verified by its published keys. Keys are fetched when first needed and when a token names an unknown
 * one, at most every 30 s. While they cannot be fetched no token can be verified: the answer is then "unavailable", not a refusal of the caller.
 */
export const externalCallers = (external: ExternalIssuer) =>
  Layer.sync(Callers, () => {
    const keys = createRemoteJWKSet(external.jwksUrl, {
      timeoutDuration: keyFetchMillis,
      cooldownDuration: 30_000,
      cacheMaxAge: keySetMillis,
      [customFetch]: boundedFetch
    })
    const verify = Effect.fnUntraced(function*(token: string, currentDate: Date) {
      const { payload } = yield* Effect.tryPromise({
        try: () =>
          jwtVerify(token, keys, {
            algorithms,
            issuer: external.issuer,
            audience: external.audience,
            requiredClaims: ["exp", "iat"],
            clockTolerance: 5,
            currentDate
          }),
        catch: (error) => keysUnavailable(error) ?? refusalOf(error) ?? new StoreUnavailable({ committed: "no", cause: error })
      })
      if (livesTooLong(payload, currentDate, longestLifeSeconds)) return yield* new TokenRefused({ reason: `lives longer than ${longestLifeSeconds} s` })
      return { payload, stillBelieved: Effect.succeed(true) }
    })
    return verifyingCallers({ verify, confirm: withoutManagement, longestMemoryMillis: rememberedMillis })
  })

/** The library's codes for an answer that is not a key set. No token can cause them. */
const keySetCodes: ReadonlySet<string> = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"])

const keysUnavailable = (error: unknown): StoreUnavailable | null =>
  error instanceof KeySetUnreadable || (error instanceof errors.JOSEError && keySetCodes.has(error.code))
    ? new StoreUnavailable({ committed: "no", cause: error })
    : null
