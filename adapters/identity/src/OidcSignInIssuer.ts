import { IssuerRefused, IssuerUnavailable, readEmail, SignInIssuer } from "@overa/domain"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import * as oidc from "openid-client"
import { boundedAnswer } from "./boundedAnswer.ts"

/** An OpenID Connect issuer at which the installation is registered. */
export interface OidcSettings {
  /** The issuer's identifier, exactly as the issuer writes it (`iss`). */
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  /** Its name for people. */
  readonly name: string
}

const askSeconds = 5
/** The issuer's description is cached for an hour, because it changes seldom; its keys have a cache of their own. */
const knownMillis = 3_600_000

const Kept = Schema.fromJsonString(Schema.Struct({ verifier: Schema.String, state: Schema.String, nonce: Schema.String }))
const textOfKept = Schema.encodeSync(Kept)

/** Fetches with a bound on the answer's size, and follows no redirects. */
const ask: oidc.CustomFetch = (address, options) =>
  fetch(address, { ...options, redirect: "error" } as RequestInit).then(boundedAnswer)

/** The secret is sent in a header, unless the issuer accepts it only in the body (OpenID Connect Discovery 1.0 §3). */
const authenticated = (secret: string): oidc.ClientAuth => {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return (methods.includes("client_secret_basic") ? inHeader : inBody)(server, ...rest)
  }
}

/** Every other failure is the issuer's: no answer, a cut-off answer, an answer of its proxy. */
const failureOf = (cause: unknown): IssuerRefused | IssuerUnavailable => {
  if (cause instanceof oidc.AuthorizationResponseError) return new IssuerRefused({ reason: "DECLINED" })
  if (cause instanceof oidc.ResponseBodyError) return new IssuerRefused({ reason: "NOT_VALID" })
  const isLate = cause instanceof oidc.ClientError && (cause.code === "OAUTH_TIMEOUT" || cause.code === "OAUTH_RESPONSE_IS_NOT_CONFORM")
  return cause instanceof oidc.ClientError && !isLate ? new IssuerRefused({ reason: "NOT_VALID" }) : new IssuerUnavailable({ cause })
}

const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, IssuerRefused | IssuerUnavailable> => Effect.tryPromise({ try: ask, catch: failureOf })

const verifiedEmail = (claims: object): string | null => {
  const { email, email_verified } = claims as Readonly<Record<string, unknown>>
  return email_verified === true && typeof email === "string" ? readEmail(email) : null
}

/** The issuer's description, read at its first use and then once an hour. */
const describedIssuer = ({ clientId, clientSecret, issuer }: OidcSettings) => {
  let known: { readonly config: oidc.Configuration; readonly until: number } | null = null
  const options: oidc.DiscoveryRequestOptions = {
    timeout: askSeconds,
    [oidc.customFetch]: ask,
    // The configuration allows plain http only on this machine.
    ...(issuer.protocol === "http:" ? { execute: [oidc.allowInsecureRequests] } : {})
  }
  return Effect.fnUntraced(function*() {
    const now = yield* Clock.currentTimeMillis
    if (known !== null && known.until > now) return known.config
    const secret = Redacted.value(clientSecret)
    const config = yield* asked(() => oidc.discovery(issuer, clientId, undefined, authenticated(secret), options)).pipe(
      // A fault in the description is the issuer's, not the person's.
      Effect.catchTag("IssuerRefused", (cause) => new IssuerUnavailable({ cause }))
    )
    // The token comes over TLS from the issuer itself; its signature is checked all the same, in case a proxy stands between.
    oidc.enableNonRepudiationChecks(config)
    known = { config, until: now + knownMillis }
    return config
  })
}

const make = (settings: OidcSettings): SignInIssuer["Service"] => {
  const described = describedIssuer(settings)
  return SignInIssuer.of({
    name: settings.name,
    begin: Effect.fn("SignInIssuer.begin")(function*(returnTo) {
      const config = yield* described()
      const kept = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() }
      const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(kept.verifier))
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: returnTo,
        scope: "openid email",
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })
      return { address: address.href, kept: textOfKept(kept) }
    }),
    finish: Effect.fn("SignInIssuer.finish")(function*(returned, text) {
      const kept = Option.getOrNull(Schema.decodeUnknownOption(Kept)(text))
      if (kept === null) return yield* new IssuerRefused({ reason: "NOT_VALID" })
      const config = yield* described()
      const checks = { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce, idTokenExpected: true }
      const tokens = yield* asked(() => oidc.authorizationCodeGrant(config, new URL(returned), checks))
      const claims = tokens.claims()
      if (claims === undefined) return yield* new IssuerRefused({ reason: "NOT_VALID" })
      // Some issuers put the address into the token, some only into the answer of the user-info endpoint.
      const email = verifiedEmail(claims) ?? verifiedEmail(yield* asked(() => oidc.fetchUserInfo(config, tokens.access_token, claims.sub)))
      return { issuer: claims.iss, subject: claims.sub, email }
    })
  })
}

const none = SignInIssuer.of({
  name: null,
  begin: () => new IssuerRefused({ reason: "NOT_VALID" }),
  finish: () => new IssuerRefused({ reason: "NOT_VALID" })
})

/** Sign-in at an OpenID Connect issuer; null: none is configured. */
export const layerSignInIssuer = (settings: OidcSettings | null): Layer.Layer<SignInIssuer> =>
  Layer.sync(SignInIssuer, () => settings === null ? none : make(settings))
