import { Context, type Effect, type Redacted } from "effect"

/** Slow password digests, and time-based one-time passwords (RFC 6238). Never fails: a digest it cannot read matches nothing. */
export class SignInChecks extends Context.Service<SignInChecks, {
  /** Argon2id with a fresh salt, as a PHC string. */
  readonly hashPassword: (password: Redacted.Redacted<string>) => Effect.Effect<Redacted.Redacted<string>>
  /** A null digest takes as long as a wrong password, so that the time does not show which addresses exist. */
  readonly passwordMatches: (
    hash: Redacted.Redacted<string> | null,
    password: Redacted.Redacted<string>
  ) => Effect.Effect<boolean>
  /** Whether a word, in lower case, is one of the most common passwords of the world. */
  readonly isCommonPassword: (word: string) => boolean
  readonly newTotpSecret: Effect.Effect<Redacted.Redacted<string>>
  /** The address that an authenticator reads from a QR code. */
  readonly totpAddress: (secret: Redacted.Redacted<string>, email: string) => string
  /** The time step that this code belongs to, with one step of drift allowed; null when the code is wrong. */
  readonly matchingStep: (secret: Redacted.Redacted<string>, code: string, nowMillis: number) => number | null
}>()("@overa/domain/ports/SignInChecks") {}

/** Recovery codes and their digests. */
export class RecoverySecrets extends Context.Service<RecoverySecrets, {
  /** As many new codes as a person is given, in the form that `readRecoveryCode` answers. */
  readonly newCodes: Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>>
  /** Hex of SHA-256: 80 random bits need no slow digest. */
  readonly digestOf: (code: Redacted.Redacted<string>) => string
}>()("@overa/domain/ports/RecoverySecrets") {}
