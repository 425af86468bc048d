import { DateTime, Effect, Option, type Redacted, Schema } from "effect"
import type { Person } from "../people/Person.ts"
import { People, SignInAttempts } from "../ports/People.ts"
import { SignInChecks } from "../ports/SignInChecks.ts"

/** Address, password or code is wrong; the answer does not say which. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {}

/** Too many failed attempts from this device or address: this one was not checked. */
export class SignInPaused extends Schema.TaggedError<SignInPaused>()("SignInPaused", { seconds: Schema.Int }) {}

/** The origin of an attempt: a device that has signed in to this account before, or an address. */
export interface TryFrom {
  readonly address: string
  /** The id of a device known for this account; null for any other. */
  readonly knownDevice: string | null
}

const guessKey = (kind: "password" | "code", account: string, from: TryFrom): string =>
  from.knownDevice === null ? `${kind} ${account} from ${from.address}` : `${kind} ${account} on ${from.knownDevice}`

const beginTry = Effect.fnUntraced(function*(key: string) {
  const pause = yield* (yield* SignInAttempts).beginGuess(key, yield* DateTime.now)
  if (pause > 0) return yield* new SignInPaused({ seconds: Math.ceil(pause / 1_000) })
})

/** The first factor. Answers the person; opening a session is the caller's next step. */
export const checkPassword = Effect.fn("checkPassword")(function*(command: {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  readonly from: TryFrom
}) {
  const key = guessKey("password", command.email, command.from)
  yield* beginTry(key)
  const found = Option.getOrNull(yield* (yield* People).findByEmail(command.email))
  const matches = yield* (yield* SignInChecks).passwordMatches(found?.secrets.passwordHash ?? null, command.password)
  if (found === null || !matches) return yield* new SignInRefused({})
  yield* (yield* SignInAttempts).forgetGuesses(key)
  return found.person
})

/** A code of the authenticator app: right, and not used before. */
export const checkCode = Effect.fn("checkCode")(function*(command: { readonly person: Person; readonly code: string; readonly from: TryFrom }) {
  const { person } = command
  const key = guessKey("code", person.id, command.from)
  yield* beginTry(key)
  const people = yield* People
  const found = Option.getOrNull(yield* people.findByEmail(person.email))
  const secret = found?.secrets.totpSecret ?? null
  if (secret === null) return yield* new SignInRefused({})
  const step = (yield* SignInChecks).matchingStep(secret, command.code, DateTime.toEpochMillis(yield* DateTime.now))
  if (step === null || !(yield* (yield* SignInAttempts).useTimeStep(person.id, step))) return yield* new SignInRefused({})
  yield* (yield* SignInAttempts).forgetGuesses(key)
})
