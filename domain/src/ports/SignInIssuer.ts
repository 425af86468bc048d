import { Context, type Effect, Schema } from "effect"

/** The issuer did not confirm who signs in; nobody is signed in. */
export class IssuerRefused extends Schema.TaggedError<IssuerRefused>()("IssuerRefused", {
  /**
   * - `DECLINED`: the person or the issuer cancelled the sign-in.
   * - `NOT_VALID`: the answer belongs to another sign-in, was used already, or is not signed for this installation.
   */
  reason: Schema.Literals(["DECLINED", "NOT_VALID"])
}) {}

/** The issuer cannot be reached now. */
export class IssuerUnavailable extends Schema.TaggedError<IssuerUnavailable>()("IssuerUnavailable", { cause: Schema.Defect() }) {}

/** The person has another account at the issuer, or the account is another person's; nothing was linked. */
export class IssuerAccountTaken extends Schema.TaggedError<IssuerAccountTaken>()("IssuerAccountTaken", {}) {}

/** A sign-in at the issuer that has begun. */
export interface IssuerSignIn {
  /** The address to which the browser goes. */
  readonly address: string
  /** The secret that `finish` needs, kept only in this browser. */
  readonly kept: string
}

/** Who signed in, as the issuer says it. */
export interface IssuerAccount {
  /** The issuer's identifier (`iss`). */
  readonly issuer: string
  /** The account there (`sub`): it stays the same when the address changes, and is never given to somebody else (OpenID Connect Core 1.0 §5.7). */
  readonly subject: string
  /** The e-mail address that the issuer has verified; null without one. */
  readonly email: string | null
}

/**
 * The OpenID Connect issuer that confirms who signs in, if one is configured (Decisions §13; OpenID Connect Core 1.0 §3.1: authorization code, with
 * PKCE). Stores nothing.
 *
 * @example
 * const { address, kept } = yield* issuer.begin("https://portal.example/sign-in/issuer/back")
 * const { subject } = yield* issuer.finish("https://portal.example/sign-in/issuer/back?code=…&state=…", kept)
 */
export class SignInIssuer extends Context.Service<SignInIssuer, {
  /** Its name for people; null if none is configured: `begin` and `finish` then refuse. */
  readonly name: string | null
  /** `returnTo` is the address, registered at the issuer, to which the browser returns. */
  readonly begin: (returnTo: string) => Effect.Effect<IssuerSignIn, IssuerRefused | IssuerUnavailable>
  /** Who signed in, read from the address to which the browser returned. */
  readonly finish: (returned: string, kept: string) => Effect.Effect<IssuerAccount, IssuerRefused | IssuerUnavailable>
}>()("@overa/domain/ports/SignInIssuer") {}
