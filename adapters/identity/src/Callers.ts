import type { Caller, StoreUnavailable } from "@overa/domain"
import { Context, type Effect, Schema } from "effect"

/** The token is missing, expired, not issued for this API, or not a token at all. `reason` is for the log, never for the caller. */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", { reason: Schema.String }) {}

/** Turns an access token into the caller it was issued to. Verified tokens are cached until they expire. */
export class Callers extends Context.Service<Callers, {
  readonly authenticate: (token: string) => Effect.Effect<Caller, TokenRefused | StoreUnavailable>
}>()("@overa/adapter-identity/Callers") {}
