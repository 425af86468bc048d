import { type Credential, credentialKeyId, Credentials, secretDigest, StoreUnavailable } from "@overa/domain"
import { Clock, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { SignInThrottle } from "./SignInThrottle.ts"
import { makeNoteOfUse } from "./noteCredentialUse.ts"
import { type IdentitySettings, tokenLifetimeSeconds } from "./IdentitySettings.ts"
import { type ClientCredentialsRequest, readTokenRequest } from "./readTokenRequest.ts"
import { sameDigest } from "./secretDigest.ts"
import { TokenEndpoint, type TokenGranted, TokenRequestRefused } from "./TokenEndpoint.ts"
import { makeTokenKeyRing, tokenAlgorithm, type TokenKeyRing } from "./TokenKeyRing.ts"

/** The token endpoint over the installation's credentials. Source: Spec, Authentication 1, 2, 4, 5; Decisions §7, §10. */
export const ownTokenEndpoint = (settings: IdentitySettings) =>
  Layer.effect(
    TokenEndpoint,
    Effect.gen(function*() {
      const credentials = yield* Credentials
      const ring = yield* makeTokenKeyRing
      const noteUse = yield* makeNoteOfUse
      const throttle = new SignInThrottle()
      const keys = [settings.credentialKey, ...settings.formerCredentialKeys ?? []]
      // In the background: the token does not wait for it, and the client's next request repeats it after a failure.
      const moveToNewKey = (credential: Credential, digest: string) =>
        Effect.ignore(credentials.replaceDigest(credential, { digest, keyId: credentialKeyId(Redacted.value(settings.credentialKey)) }))

      const issue: TokenEndpoint["Service"]["issue"] = Effect.fn("TokenEndpoint.issue")(function*(request) {
        const asked = yield* Effect.fromResult(readTokenRequest(request))
        const now = yield* Clock.currentTimeMillis
        const guess = throttle.guess(`${asked.clientId}\n${request.address}`, now)
        const credential = Option.getOrNull(yield* credentials.find(asked.clientId).pipe(Effect.tapCause(() => Effect.sync(guess.void))))
        // The digest is computed for unknown clients too, so that the time does not show which client ids exist.
        const digests = keys.map((key) => secretDigest(Redacted.value(key), asked.clientSecret))
        const known = digests.findIndex((digest) => sameDigest(digest, credential?.secretDigest ?? noDigest))
        const isFormer = digests.map((digest) => sameDigest(digest, formerDigest(credential, now))).includes(true)
        if (credential === null || credential.revoked || (known < 0 && !isFormer)) {
          return yield* guess.pauseMillis > 0 ? tooManyGuesses(asked, guess.pauseMillis) : wrongClient(asked)
        }
        guess.right()
        if (known > 0) yield* moveToNewKey(credential, digests[0] ?? "")
        const granted = yield* grant(settings, ring, credential, yield* grantedScopes(credential, asked), now)
        yield* noteUse(credential, now)
        return granted
      })

      return TokenEndpoint.of({ issue, keySet: Effect.map(ring.publicKeys, (keys) => ({ keys })) })
    })
  )

/** A digest that no secret has. */
const noDigest = "0".repeat(64)

/** The digest of the secret before the last rotation, for as long as it is accepted. */
const formerDigest = (credential: Credential | null, nowMillis: number): string => {
  const former = credential?.formerSecret ?? null
  return former !== null && nowMillis < DateTime.toEpochMillis(former.until) ? former.digest : noDigest
}

const tooManyGuesses = (asked: ClientCredentialsRequest, pauseMillis: number) =>
  new TokenRequestRefused({
    error: "invalid_client",
    description: "Too many wrong secrets for this client from this address; wait.",
    usedBasic: asked.usedBasic,
    retryAfterSeconds: Math.ceil(pauseMillis / 1_000)
  })

const wrongClient = (asked: ClientCredentialsRequest) =>
  new TokenRequestRefused({
    error: "invalid_client",
    description: "Unknown client or wrong secret.",
    usedBasic: asked.usedBasic,
    retryAfterSeconds: null
  })

/** A subset of the credential's scopes may be named; without a `scope` parameter the token receives all (Decisions §10). */
const grantedScopes = (
  credential: Credential,
  asked: ClientCredentialsRequest
): Effect.Effect<ReadonlyArray<string>, TokenRequestRefused> => {
  if (asked.scopes === null) return Effect.succeed(credential.scopes)
  const requested = new Set(asked.scopes)
  const granted = credential.scopes.filter((scope) => requested.has(scope))
  return granted.length === requested.size && granted.length > 0
    ? Effect.succeed(granted)
    : new TokenRequestRefused({
      error: "invalid_scope",
      description: "A requested scope is not one of this credential.",
      usedBasic: asked.usedBasic,
      retryAfterSeconds: null
    })
}

const grant = Effect.fnUntraced(function*(
  settings: IdentitySettings,
  ring: TokenKeyRing,
  credential: Credential,
  scopes: ReadonlyArray<string>,
  nowMillis: number
) {
  const signing = yield* ring.signing
  if (signing === null) {
    return yield* new StoreUnavailable({ committed: "no", cause: new Error("The installation has no token key.") })
  }
  const issuedAt = Math.floor(nowMillis / 1_000)
  const claims = {
    org_id: credential.organizationId,
    ...(credential.environment === null ? {} : { svc_env: credential.environment }),
    scope: scopes.join(" "),
    azp: credential.clientId,
    client_id: credential.clientId
  }
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: tokenAlgorithm, kid: signing.kid, typ: "JWT" })
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setSubject(credential.clientId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetimeSeconds)
  const granted: TokenGranted = {
    access_token: yield* Effect.promise(() => token.sign(signing.key)),
    expires_in: tokenLifetimeSeconds,
    refresh_expires_in: 0,
    token_type: "Bearer",
    "not-before-policy": 0,
    scope: scopes.join(" ")
  }
  return granted
})
