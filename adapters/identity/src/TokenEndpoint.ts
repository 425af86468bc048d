import type { StoreUnavailable } from "@overa/domain"
import { Context, type Effect, Schema } from "effect"

/** A token request as received. */
export interface TokenRequest {
  /** The `Authorization` header, when there is one. */
  readonly authorization: string | undefined
  /** The form body, undecoded. */
  readonly form: string
  /** Where the request came from; only to slow guessing. */
  readonly address: string
}

/** The answer to a granted request; field names and order as in the specification (Spec, Authentication 2). */
export interface TokenGranted {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_expires_in: 0
  readonly token_type: "Bearer"
  readonly "not-before-policy": 0
  readonly scope: string
}

/** Why no token was issued, in the words of RFC 6749 §5.2. */
export class TokenRequestRefused extends Schema.TaggedError<TokenRequestRefused>()("TokenRequestRefused", {
  error: Schema.Literals(["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope"]),
  description: Schema.String,
  /** The client used HTTP Basic: the answer names the scheme (RFC 6749 §5.2). */
  usedBasic: Schema.Boolean,
  /** Set after too many wrong secrets: seconds to wait. */
  retryAfterSeconds: Schema.NullOr(Schema.Int)
}) {}

/** Our own issuer: OAuth 2.0 client credentials, and the public keys its tokens verify with. */
export class TokenEndpoint extends Context.Service<TokenEndpoint, {
  readonly issue: (request: TokenRequest) => Effect.Effect<TokenGranted, TokenRequestRefused | StoreUnavailable>
  /** The public keys as a JWK set (RFC 7517). */
  readonly keySet: Effect.Effect<
    { readonly keys: ReadonlyArray<Readonly<Record<string, string>>> },
    StoreUnavailable
  >
}>()("@overa/adapter-identity/TokenEndpoint") {}
